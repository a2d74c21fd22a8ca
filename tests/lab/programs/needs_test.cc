#include "lab/programs/needs.hh"

#include <unistd.h>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using lab::missing_need;

TEST_CASE("every Linux meets these needs") {
  CHECK_FALSE(missing_need("kernel 2.6").has_value());
  CHECK_FALSE(missing_need("program sh").has_value());
  CHECK_FALSE(missing_need("sysctl net.ipv4.tcp_fin_timeout").has_value());
}

TEST_CASE("an unmet need names what is missing") {
  CHECK(missing_need("kernel 999.1").value() == "it needs Linux 999.1 or newer");
  CHECK_THAT(missing_need("program no-such-program").value(),
             Contains("no-such-program") && Contains("not installed"));
  CHECK_THAT(missing_need("sysctl net.ipv4.no_such_setting").value(),
             Contains("net.ipv4.no_such_setting"));
}

TEST_CASE("the root of a user namespace is not root") {
  if (::geteuid() == 0) {
    CHECK_FALSE(missing_need("root").has_value());
  } else {
    CHECK(missing_need("root").value() == "it needs root");
  }
}

TEST_CASE("tracepoints need root and tracefs") {
  const std::optional<std::string> missing = missing_need("tracepoints");
  // Root can mount tracefs where the machine has not, unless this is a container.
  const bool is_mounted = ::access("/sys/kernel/tracing/events/tcp/tcp_send_reset/id", R_OK) == 0;
  if (::geteuid() != 0) CHECK(missing.has_value());
  if (::geteuid() == 0 && is_mounted) CHECK_FALSE(missing.has_value());
  CHECK_THAT(missing.value_or("it needs tracepoints: "), StartsWith("it needs tracepoints: "));
}

TEST_CASE("tracepoints of a kernel of one's own need its tracefs") {
  lab::KernelChoice on{.kernel = "/linux", .release = "6.1.176"};
  CHECK(missing_need("tracepoints", on).value() ==
        "it needs tracepoints, which Linux 6.1.176 lacks");
  on.has_tracepoints = true;
  CHECK_FALSE(missing_need("tracepoints", on).has_value());
}

TEST_CASE("an unknown need is refused, with the needs that exist") {
  const auto* need = GENERATE("", "luck", "program", "sysctl", "Root", "program ");
  CAPTURE(need);
  CHECK_THAT(tests::complaint([&] { missing_need(need); }),
             Contains(std::string("cannot need \"") + need + "\"") && Contains("kernel 6.15"));
}

TEST_CASE("a need for a kernel must name a version") {
  CHECK_THAT(tests::complaint([] { missing_need("kernel"); }), Contains("no version like 6.15"));
  CHECK_THAT(tests::complaint([] { missing_need("kernel new"); }), Contains("no version"));
}

TEST_CASE("programs are looked for in PATH") {
  CHECK_THAT(lab::find_program("sh"), Catch::Matchers::EndsWith("/sh"));
  CHECK(lab::find_program("no-such-program").empty());
}
