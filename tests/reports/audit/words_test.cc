// Checks the words of an audit's table: options, reasons, advice with a program's own spelling.
#include <cerrno>

#include "audit/program_settings.hh"
#include "audit/socket_options.hh"
#include "reports/audit/audit_words.hh"
#include "tests/catch.hh"

using namespace tcplab::audit;
using namespace tcplab::reports;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using tcplab::capture::AuditOutcome;

namespace {

std::string advice_to(const std::string& command, Advice advice) {
  Cell cell{.command = command};
  cell.advice = {advice};
  return advice_words(cell).front();
}

std::string_view names_in(const std::string& command) {
  const ProgramSettings* program = settings_of(command);
  return program == nullptr ? "" : program->names;
}

}  // namespace

TEST_CASE("options are read from the calls that set them") {
  SocketOptions options;
  for (const char* arguments : {"SO_KEEPALIVE = 1", "TCP_KEEPIDLE = 60", "TCP_USER_TIMEOUT = 30000",
                                "TCP_NODELAY = 1", "TCP_KEEPCNT = many"})
    note_option(options, {.call = "setsockopt", .arguments = arguments});
  note_option(options, {.call = "setsockopt", .arguments = "TCP_SYNCNT = 9", .result = -1});
  CHECK(options == SocketOptions{.keepalive = true, .idle = 60, .user_timeout = 30s});
}

TEST_CASE("options that tcplab has set are named as tcplab's") {
  SocketOptions options;
  const auto set = [&options](const char* arguments, bool by_lab) {
    note_option(options, {.call = "setsockopt", .arguments = arguments, .by_lab = by_lab});
  };
  set("SO_KEEPALIVE = 1", false);
  set("TCP_KEEPIDLE = 60", false);
  set("TCP_USER_TIMEOUT = 30000", true);
  CHECK(options.by_lab == std::set<std::string>{"TCP_USER_TIMEOUT"});
  CHECK(keepalive_words(options, true) == "keepalive 60/75/9 set by the program");
  set("TCP_KEEPIDLE = 10", true);
  CHECK(keepalive_words(options, true) == "keepalive 10/75/9 set by tcplab");
  Cell cell{.failure = "power-off", .is_judged = true, .options = options};
  cell.outcome = AuditOutcome::error;
  cell.reason = Reason::user_timeout;
  CHECK(reason_words(cell) == "TCP_USER_TIMEOUT of 30 s set by tcplab");
}

TEST_CASE(
    "keepalive is shown as idle/interval/count, the kernel's numbers only if they are known") {
  const SocketOptions none{.keepalive = true};
  CHECK(keepalive_words(none, true) == "keepalive with the kernel's times, 7200/75/9");
  CHECK(keepalive_words(none, false) == "keepalive with the kernel's times");
  const SocketOptions curl{.keepalive = true, .idle = 60, .interval = 60};
  CHECK(keepalive_words(curl, true) == "keepalive 60/60/9 set by the program");
  CHECK(keepalive_words(curl, false) == "keepalive 60/60/default set by the program");
}

TEST_CASE("a wait as long as the notice is the timer itself") {
  Cell cell{.failure = "freeze", .is_judged = true, .reason = Reason::own_timer};
  cell.outcome = AuditOutcome::error;
  cell.noticed =
      Noticed{.by = NoticedBy::own_timer, .after = 30001ms, .call = "epoll_wait", .timeout = 30s};
  CHECK(reason_words(cell) == "the program's own timer: epoll_wait with 30 s");
}

TEST_CASE("an outcome says how long it took, or how long nothing came") {
  Cell cell{.limit = 300s};
  CHECK(outcome_label(cell) == "not judged");
  cell.is_judged = true;
  cell.outcome = AuditOutcome::hangs;
  CHECK(outcome_label(cell) == "hangs > 5 min");
  cell.outcome = AuditOutcome::recovered;
  cell.took = 54s;
  CHECK(outcome_label(cell) == "recovered 54 s");
  cell.trouble = "no memory";
  CHECK(outcome_label(cell) == "run failed");
}

TEST_CASE("a program is known by its command, also behind a shell or timeout") {
  CHECK(names_in("curl http://kodos/") == "curl");
  CHECK(names_in("/usr/bin/python3.11 a.py") == "python");
  CHECK_THAT(std::string(names_in("sh -c 'PGPASSWORD=x exec psql -h kodos'")), Contains("psql"));
  CHECK(names_in("timeout 30 wget kodos") == "wget");
  CHECK(names_in("sh -c trap 'exit 143' TERM; cd /tmp && A=1 curl kodos &") == "curl");
  CHECK(names_in("curl -c jar 'http://kodos/?a=1&b=2'") == "curl");
  CHECK(names_in("./my-client kodos").empty());
  CHECK(names_in("").empty());
}

TEST_CASE("advice has the spelling of the client's own settings") {
  CHECK_THAT(advice_to("psql -h kodos", Advice::set_user_timeout),
             Contains("tcp_user_timeout=30000"));
  CHECK_THAT(advice_to("ssh kodos", Advice::set_application_timeout),
             Contains("ServerAliveInterval=10"));
  CHECK_THAT(advice_to("curl kodos", Advice::set_application_timeout), Contains("--max-time 30"));
  CHECK_THAT(advice_to("./mine", Advice::set_user_timeout),
             Contains("setsockopt TCP_USER_TIMEOUT = 30000"));
}

TEST_CASE("advice on keepalive sets its times, and not only one of them") {
  const auto keepalive = [](const char* command) {
    return advice_to(command, Advice::set_keepalive);
  };
  for (const char* option :
       {"SO_KEEPALIVE, 1", "TCP_KEEPIDLE, 10", "TCP_KEEPINTVL, 5", "TCP_KEEPCNT, 4"})
    CHECK_THAT(keepalive("python3 a.py"), Contains(option));
  for (const char* option :
       {"SO_KEEPALIVE, true", "TCP_KEEPIDLE, 10", "TCP_KEEPINTERVAL, 5", "TCP_KEEPCOUNT, 4"})
    CHECK_THAT(keepalive("java A"), Contains(option));
  for (const char* option : {"Enable: true", "Idle: 10", "Interval: 5", "Count: 4"})
    CHECK_THAT(keepalive("go run a.go"), Contains(option));
}

TEST_CASE("advice has the spelling of the library that a traceback names, with its documentation") {
  const auto advice = [](const char* library, Advice each) {
    Cell cell{.command = "python3 a.py", .library = library};
    cell.advice = {each};
    return advice_words(cell).front();
  };
  CHECK_THAT(advice("redis-py", Advice::set_keepalive),
             Contains("with redis-py (its traceback names it): socket_keepalive=True") &&
                 Contains("; see https://redis-py"));
  // libpq has none.
  CHECK_THAT(advice("psycopg2", Advice::set_application_timeout), Contains("`timeout 30` before"));
  CHECK_THAT(advice("", Advice::set_application_timeout), Contains(": s.settimeout(30)"));
}

TEST_CASE(
    "what ends a wait is said for the time of the failure, if the limit comes before its end") {
  Cell cell{.failure = "unplugged-30-s", .is_judged = true};
  cell.outcome = AuditOutcome::hangs;
  cell.reason = Reason::forever;
  CHECK_THAT(reason_words(cell), StartsWith("nothing would ever end this"));
  cell.ends_after_limit = true;
  CHECK_THAT(reason_words(cell), StartsWith("the failure ends only after the limit; while it "
                                            "lasts: nothing would ever end this"));
}

TEST_CASE("TCP_USER_TIMEOUT ends a SYN and a closed window, too") {
  Cell cell{.failure = "power-off", .is_judged = true};
  cell.outcome = AuditOutcome::hangs;
  cell.reason = Reason::waits_for_syn;
  CHECK_THAT(reason_words(cell), !Contains("TCP_USER_TIMEOUT"));
  cell.options.user_timeout = 60s;
  CHECK_THAT(reason_words(cell),
             Contains("the first of these ends it: TCP_USER_TIMEOUT of 60 s set "
                      "by the program; kernel default: tcp_syn_retries"));
  cell.reason = Reason::zero_window;
  CHECK_THAT(reason_words(cell), Contains("TCP_USER_TIMEOUT of 60 s set by the program would end"));
  cell.options.user_timeout = 0s;  // off
  CHECK_THAT(reason_words(cell), !Contains("TCP_USER_TIMEOUT"));
}

TEST_CASE("a proxy spells keepalive to its clients in another way than to its servers") {
  Cell cell{.command = "haproxy -f x", .server_command = "haproxy -f x"};
  cell.advice = {Advice::set_keepalive, Advice::set_server_keepalive};
  const auto words = advice_words(cell);
  CHECK_THAT(words[0], Contains("srvtcpka-idle 10s") && !Contains("clitcpka"));
  CHECK_THAT(words[1], Contains("clitcpka-idle 10s") && !Contains("srvtcpka"));
}

TEST_CASE("a wait with a timeout may end before TCP gives up") {
  Cell cell{.failure = "power-off", .is_judged = true, .options = {.keepalive = true}};
  cell.outcome = AuditOutcome::hangs;
  cell.reason = Reason::waits_for_keepalive;
  CHECK_THAT(reason_words(cell), !Contains("timer of the program"));
  cell.waits_with_timeout = true;
  CHECK_THAT(reason_words(cell), Contains("; a timer of the program may end it before"));
}

TEST_CASE("the server's advice is spelled for the server") {
  Cell cell{.command = "psql -h kodos",
            .server_command = "/usr/lib/postgresql/15/bin/postgres -D x"};
  cell.advice = {Advice::set_server_keepalive};
  CHECK_THAT(advice_words(cell).front(), Contains("tcp_keepalives_idle=10"));
}

TEST_CASE("a server that retransmits to a client with keepalive does not end the wait alone") {
  Cell cell{.failure = "cut-to-client", .is_judged = true};
  cell.outcome = AuditOutcome::hangs;
  cell.reason = Reason::server_retransmits;
  CHECK_THAT(reason_words(cell), !Contains("would end it"));
  cell.options = {.keepalive = true, .idle = 15, .interval = 5, .count = 3};
  CHECK_THAT(reason_words(cell),
             Contains("keepalive 15/5/3 set by the program would end it, by a RST once the server "
                      "has given up, or if no answer to its probes comes"));
}
