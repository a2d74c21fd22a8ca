// The socket options that a program has set, from its recorded calls and dnc's command line.
#include "app/script/set_options.hh"

#include "lab/plans/timers.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using app::SetOptions;

TEST_CASE("options come from calls and from dnc's command line") {
  SetOptions options;
  app::note_dnc_options(options, "dnc --keepalive 5//4 --user-timeout=3s kodos 8080");
  CHECK(options == SetOptions{{"TCP_KEEPIDLE", 5}, {"TCP_KEEPCNT", 4}, {"TCP_USER_TIMEOUT", 3000}});
  app::note_option(options, "TCP_KEEPIDLE = 7");
  app::note_option(options, "TCP_CONGESTION = reno");
  CHECK(options["TCP_KEEPIDLE"] == 7);
  CHECK_FALSE(options.contains("TCP_CONGESTION"));
}

TEST_CASE("a user timeout ends keepalive at the first timer at or past it, after one probe") {
  const lab::SysctlReader built_in = [](const std::string&, long value) { return value; };
  CHECK(lab::keepalive_timeout(built_in) == 7875s);
  CHECK(lab::keepalive_timeout(built_in, 1s) == 7275s);
  CHECK(lab::keepalive_timeout(built_in, 7300s) == 7350s);
}
