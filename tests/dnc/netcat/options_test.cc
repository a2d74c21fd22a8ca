#include "dnc/netcat/options.hh"

#include <cerrno>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::dnc;
using namespace std::chrono_literals;

namespace {

Options parse(std::vector<const char*> words) {
  words.insert(words.begin(), "dnc");
  return parse_options(static_cast<int>(words.size()), words.data(), "1.2");
}

std::string refusal(const std::vector<const char*>& words) {
  try {
    parse(words);
    return "accepted";
  } catch (const base::UsageError& wrong) {
    return wrong.what();
  }
}

}  // namespace

TEST_CASE("addresses to connect to and to listen on are given as in nc") {
  SECTION("HOST PORT") {
    const auto options = parse({"kodos", "8080"});
    CHECK_FALSE(options.listen);
    CHECK(options.host == "kodos");
    CHECK(options.port == "8080");
  }
  SECTION("-p and -s are the source when connecting") {
    const auto options = parse({"-p", "99", "-s", "10.0.0.1", "kodos", "8080"});
    CHECK(options.source_port == "99");
    CHECK(options.source_address == "10.0.0.1");
    CHECK(options.port == "8080");
  }
  SECTION("-l PORT") { CHECK(parse({"-l", "8080"}).port == "8080"); }
  SECTION("-l -p PORT") {
    const auto options = parse({"-l", "-p", "8080"});
    CHECK(options.listen);
    CHECK(options.port == "8080");
    CHECK(options.source_port.empty());
  }
  SECTION("-l HOST PORT") { CHECK(parse({"-l", "::1", "8080"}).host == "::1"); }
  SECTION("-l -s HOST -p PORT") {
    const auto options = parse({"-l", "-s", "::1", "-p", "8080"});
    CHECK(options.host == "::1");
    CHECK(options.port == "8080");
  }
}

TEST_CASE("by default dnc keeps its socket and exits on errors") {
  const auto options = parse({"kodos", "8080"});
  CHECK(options.exchange.on_eof == AtEnd::keep);
  CHECK(options.exchange.on_stdin_eof == AtEnd::keep);
  CHECK(options.exchange.on_error == OnError::exit);
  CHECK(options.settings.reuse_address);
  CHECK_FALSE(options.settings.keepalive);
}

TEST_CASE("--nc changes defaults, and explicit options win") {
  CHECK(parse({"--nc", "-l", "1"}).exchange.on_eof == AtEnd::close);
  CHECK(parse({"--nc", "-l", "1"}).settings.backlog == 1);
  CHECK(parse({"--nc", "--on-eof", "keep", "-l", "1"}).exchange.on_eof == AtEnd::keep);
  CHECK(parse({"--nc", "--backlog", "5", "-l", "1"}).settings.backlog == 5);
}

TEST_CASE("-k closes at the end of a stream, as in nc, unless --on-eof says otherwise") {
  CHECK(parse({"-k", "-l", "1"}).exchange.on_eof == AtEnd::close);
  CHECK(parse({"-k", "-N", "-l", "1"}).exchange.on_eof == AtEnd::close);
  CHECK(parse({"-k", "--on-eof", "keep", "-l", "1"}).exchange.on_eof == AtEnd::keep);
  CHECK(parse({"-k", "--on-eof", "shutdown", "-l", "1"}).exchange.on_eof == AtEnd::shutdown);
  CHECK(parse({"-k", "-l", "1"}).settings.backlog == 128);
}

TEST_CASE("-N and -q work as in nc") {
  CHECK(parse({"-N", "a", "1"}).exchange.on_stdin_eof == AtEnd::shutdown);
  const auto options = parse({"-q", "2", "a", "1"});
  CHECK(options.exchange.on_stdin_eof == AtEnd::shutdown);
  CHECK(options.exchange.quit_after == 2s);
  CHECK(parse({"-q", "0", "--on-stdin-eof", "keep", "a", "1"}).exchange.on_stdin_eof ==
        AtEnd::keep);
}

TEST_CASE("socket options are parsed") {
  const auto settings =
      parse({"--keepalive", "5/3/2", "--user-timeout", "500", "--linger", "0", "--backlog", "0",
             "--no-reuse-address", "--no-delay", "-O", "4096", "--rcvbuf", "8192", "a", "1"})
          .settings;
  REQUIRE(settings.keepalive);
  CHECK(settings.keepalive->idle == 5);
  CHECK(settings.keepalive->interval == 3);
  CHECK(settings.keepalive->count == 2);
  CHECK(settings.user_timeout == 500ms);
  CHECK(settings.linger == 0);
  CHECK(settings.backlog == 0);
  CHECK_FALSE(settings.reuse_address);
  CHECK(settings.no_delay);
  CHECK(settings.send_buffer == 4096);
  CHECK(settings.receive_buffer == 8192);
  CHECK(parse({"--user-timeout", "2s", "a", "1"}).settings.user_timeout == 2s);
  const auto partial = parse({"--keepalive", "//4", "a", "1"}).settings.keepalive;
  REQUIRE(partial);
  CHECK_FALSE(partial->idle);
  CHECK(partial->count == 4);
}

TEST_CASE("--abort-on and --stop-on take errno names, and may be repeated") {
  const auto traps =
      parse({"--abort-on", "EPIPE", "--abort-on", "ECONNRESET", "--stop-on", "ETIMEDOUT", "a", "1"})
          .recording.traps;
  CHECK(traps.abort_on == std::vector<int>{EPIPE, ECONNRESET});
  CHECK(traps.stop_on == std::vector<int>{ETIMEDOUT});
}

TEST_CASE("a usage error names the wrong option or argument") {
  using Catch::Matchers::Contains;
  CHECK_THAT(refusal({}), Contains("HOST and PORT"));
  CHECK_THAT(refusal({"kodos"}), Contains("HOST and PORT"));
  CHECK_THAT(refusal({"-l"}), Contains("-l needs a port"));
  CHECK_THAT(refusal({"a", "b", "c"}), Contains("'c'"));
  CHECK_THAT(refusal({"-4", "-6", "a", "1"}), Contains("-4 and -6"));
  CHECK_THAT(refusal({"-k", "a", "1"}), Contains("-k needs -l"));
  CHECK_THAT(refusal({"--no-accept", "a", "1"}), Contains("--no-accept"));
  CHECK_THAT(refusal({"--abort-on", "EFOO", "a", "1"}), Contains("EFOO"));
  CHECK_THAT(refusal({"--on-eof", "explode", "a", "1"}), Contains("explode"));
  CHECK_THAT(refusal({"--keepalive", "1/2/3/4", "a", "1"}), Contains("--keepalive"));
  CHECK_THAT(refusal({"--keepalive", "0", "a", "1"}), Contains("32767"));
  CHECK_THAT(refusal({"--keepalive", "x", "a", "1"}), Contains("'x'"));
  CHECK_THAT(refusal({"-w", "soon", "a", "1"}), Contains("soon"));
  CHECK_THAT(refusal({"-b", "0", "a", "1"}), Contains("--read-size"));
  CHECK_THAT(refusal({"--linger", "-1", "a", "1"}), Contains("--linger"));
  CHECK_THAT(refusal({"--frobnicate", "a", "1"}), Contains("--frobnicate"));
  CHECK_THAT(refusal({"--quiet", "--log-file", "x", "a", "1"}), Contains("--quiet"));
  CHECK_THAT(refusal({"-l", "-p", "1", "2", "3"}), Contains("two ports"));
}

TEST_CASE("--help and --version are not usage errors") {
  CHECK_THROWS_AS(parse({"--help"}), HelpRequest);
  try {
    parse({"--version"});
    FAIL("no version");
  } catch (const HelpRequest& asked) {
    CHECK(asked.text == "dnc 1.2\n");
  }
}
