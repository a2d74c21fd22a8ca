// Checks -z, which only connects, and -v.

#include <algorithm>
#include <string>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using Catch::Matchers::Contains;

TEST_CASE("-z connects, prints the result, and closes") {
  Listener listener;
  const Run run = run_dnc({"-z", "127.0.0.1", listener.port_text()});
  CHECK(run.end.status == 0);
  CHECK(run.output == "127.0.0.1 " + listener.port_text() + ": open\n");
  CHECK_THAT(run.errors, Contains("connected: 127.0.0.1:"));
  CHECK(listener.accept().receive(1).empty());
}

TEST_CASE("-z prints the error of a port that is not open, and the status is 1") {
  const std::string port = free_port();
  const Run run = run_dnc({"-z", "--quiet", "127.0.0.1", port});
  CHECK(run.end.status == 1);
  CHECK(run.output == "127.0.0.1 " + port + ": ECONNREFUSED (Connection refused)\n");
  CHECK(run.errors.empty());
}

TEST_CASE("a host that does not resolve is a failure, not wrong usage") {
  CHECK(run_dnc({"-z", "--quiet", "no.such.invalid", "80"}).end.status == 1);
  const Run run = run_dnc({"--quiet", "no.such.invalid", "80"});
  CHECK(run.end.status == 1);
  CHECK_THAT(run.errors, Contains("cannot resolve 'no.such.invalid'"));
  CHECK(run_dnc({"--quiet", "127.0.0.1", "no-such-port"}).end.status == 2);
}

TEST_CASE("-z tries each port of a range") {
  Listener listener;
  const int port = listener.port();
  const std::string range = std::to_string(port - 1) + "-" + std::to_string(port + 1);
  const Run run = run_dnc({"-z", "-w", "5", "--quiet", "127.0.0.1", range});
  CHECK(run.end.status == 0);
  CHECK(std::count(run.output.begin(), run.output.end(), '\n') == 3);
  CHECK_THAT(run.output, Contains(" " + std::to_string(port - 1) + ": "));
  CHECK_THAT(run.output, Contains(" " + std::to_string(port) + ": open\n"));
  CHECK_THAT(run.output, Contains(" " + std::to_string(port + 1) + ": "));
}

TEST_CASE("a range that is not valid, or without -z, is refused") {
  const auto* const range = GENERATE("0-5", "9-8", "1-65536", "1-99999999999999999999");
  const Run run = run_dnc({"-z", "127.0.0.1", range});
  CHECK(run.end.status == 2);
  CHECK_THAT(run.errors, Contains("is not a range of ports from 1 to 65535"));
  CHECK_THAT(run_dnc({"127.0.0.1", "80-81"}).errors, Contains("a range of ports needs -z"));
  CHECK_THAT(run_dnc({"-z", "-l", "80"}).errors, Contains("-z and -l exclude each other"));
}

TEST_CASE("-v prints a line about the connection, even with --quiet") {
  Listener listener;
  const Run run =
      run_dnc({"-v", "--quiet", "--on-stdin-eof", "close", "127.0.0.1", listener.port_text()});
  CHECK(run.end.status == 0);
  CHECK_THAT(run.errors, Catch::Matchers::StartsWith("dnc: connected: 127.0.0.1:"));
  CHECK_THAT(run.errors, Catch::Matchers::EndsWith(" to 127.0.0.1:" + listener.port_text() + "\n"));
}

TEST_CASE("an unknown option is refused with the nearest ones") {
  const Run run = run_dnc({"--listne", "80"});
  CHECK(run.end.status == 2);
  CHECK_THAT(run.errors, Contains("unknown option --listne; did you mean --listen?"));
  CHECK_THAT(run_dnc({"--on-stdineof", "close", "h", "80"}).errors, Contains("--on-stdin-eof"));
  CHECK_THAT(run_dnc({"--frobnicate", "h", "80"}).errors, Contains("unknown option --frobnicate;"));
}

TEST_CASE("options of other netcats that dnc lacks are explained") {
  const auto [option, words] =
      GENERATE(table<std::string, std::string>({{"-e", "starts no program"},
                                                {"-c", "nor a shell"},
                                                {"-x", "no proxy"},
                                                {"-X", "no proxy"},
                                                {"-i", "poll in 2s"},
                                                {"-C", "sends what it reads"},
                                                {"--send-only", "--never-read"},
                                                {"--recv-only", "--no-stdin"}}));
  CAPTURE(option);
  const Run run = run_dnc({option, "127.0.0.1", "80"});
  CHECK(run.end.status == 2);
  CHECK_THAT(run.errors, Contains(words));
}

TEST_CASE("options of other netcats for UDP, Unix sockets and TLS are refused") {
  const auto* const option = GENERATE("-u", "--udp", "-U", "--tls", "--ssl");
  const Run run = run_dnc({option, "127.0.0.1", "53"});
  CHECK(run.end.status == 2);
  CHECK_THAT(run.errors, Contains("dnc is for TCP only, not for "));
  CHECK(std::count(run.errors.begin(), run.errors.end(), '\n') == 1);
}

TEST_CASE("with -w the log does not call a connection in progress failed") {
  Listener listener;
  const Run run = run_dnc({"-z", "-w", "5", "127.0.0.1", listener.port_text()});
  CHECK_THAT(run.errors, Contains("connect has not finished yet: EINPROGRESS"));
  CHECK_THAT(run.errors, !Contains("connect failed"));
}

TEST_CASE("a log that cannot be written is one message of ours") {
  const auto* const format = GENERATE("text", "truss", "json");
  Listener listener;
  const Run run = run_dnc(
      {"-z", "--log-format", format, "--log-file", "/dev/full", "127.0.0.1", listener.port_text()});
  CHECK(run.end.status == 0);
  CHECK_THAT(run.errors, Catch::Matchers::StartsWith("dnc: cannot write the log"));
  CHECK_THAT(run.errors, Contains("No space left on device; dnc goes on without it"));
  CHECK(std::count(run.errors.begin(), run.errors.end(), '\n') == 1);
}
