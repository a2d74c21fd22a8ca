// Which socket options carry out the advice of an audit.
#include "audit/option_plan.hh"

#include "tests/catch.hh"

using namespace tcplab::audit;
using namespace std::chrono_literals;

namespace {

Audit audit_with(std::vector<Advice> advice) {
  Audit audit{.title = "one cell"};
  audit.cells.push_back(Cell{.failure = "power-off", .advice = std::move(advice)});
  return audit;
}

std::string client_words(std::vector<Advice> advice, std::chrono::seconds within = 30s) {
  return option_words(plan_options(audit_with(std::move(advice)), within).client);
}

}  // namespace

TEST_CASE("a client that waits gets keepalive and a user timeout of the same time") {
  CHECK(client_words({Advice::set_keepalive}) ==
        "SO_KEEPALIVE=1 TCP_KEEPCNT=4 TCP_KEEPIDLE=10 TCP_KEEPINTVL=5 TCP_USER_TIMEOUT=30000");
  CHECK(client_words({Advice::set_keepalive}, 10s) ==
        "SO_KEEPALIVE=1 TCP_KEEPCNT=7 TCP_KEEPIDLE=3 TCP_KEEPINTVL=1 TCP_USER_TIMEOUT=10000");
  CHECK(client_words({Advice::set_keepalive}, 1s) == client_words({Advice::set_keepalive}, 6s));
}

TEST_CASE("each option is set once, and only if some advice asks for it") {
  CHECK(client_words({Advice::set_user_timeout}) == "TCP_USER_TIMEOUT=30000");
  CHECK(client_words({Advice::set_connect_timeout, Advice::set_user_timeout,
                      Advice::set_user_timeout}) == "TCP_SYNCNT=3 TCP_USER_TIMEOUT=30000");
  CHECK(client_words({}).empty());
}

TEST_CASE("the server's advice is about the server's sockets") {
  const OptionPlan plan = plan_options(audit_with({Advice::set_server_keepalive}), 30s);
  CHECK(plan.client.empty());
  CHECK(option_words(plan.server) ==
        "SO_KEEPALIVE=1 TCP_KEEPCNT=4 TCP_KEEPIDLE=10 TCP_KEEPINTVL=5 TCP_USER_TIMEOUT=30000");
}

TEST_CASE("a timeout of the program, a retry and a repeat are no socket options") {
  for (const Advice advice : {Advice::set_application_timeout, Advice::retry_once,
                              Advice::make_repeatable, Advice::keep_first_error}) {
    CHECK_FALSE(is_socket_option(advice));
    CHECK(client_words({advice}).empty());
  }
}
