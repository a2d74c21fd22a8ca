// Checks the log of calls: its formats and outputs, --abort-on and --stop-on, and usage errors.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using Catch::Matchers::Contains;

namespace {

/// Returns a transcript with masked times and ports.
std::string masked(std::string text, const std::string& port) {
  text = std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"), "TIME");
  text = std::regex_replace(text, std::regex(":" + port + R"(\b)"), ":PORT");
  return std::regex_replace(text, std::regex(R"(127\.0\.0\.1:\d+ to)"), "LOCAL to");
}

/// Runs dnc with these options and without --events; its peer resets the connection.
Run reset_run(std::vector<std::string> options, std::string& port) {
  Listener listener;
  port = listener.port_text();
  options.insert(options.end(), {"-d", "127.0.0.1", port});
  DncProcess dnc(options, false);
  dnc.close_events();
  listener.accept().reset();
  const End end = dnc.wait_for_end();
  return {.end = end, .output = dnc.output(), .errors = dnc.errors()};
}

}  // namespace

TEST_CASE("every call has two phases with the same ID, and IDs have no gap") {
  Listener listener;
  DncProcess dnc({"--on-eof", "close", "127.0.0.1", listener.port_text()});
  listener.accept().send("hello");
  CHECK(dnc.wait_for_end().status == 0);
  std::uint64_t id = 0;
  std::string phase = "return";
  for (const CallEvent& event : dnc.events()) {
    INFO(event.line);
    CHECK(event.phase == (phase == "return" ? "enter" : "return"));
    phase = event.phase;
    CHECK(event.id == (phase == "enter" ? id + 1 : id));
    id = event.id;
    if (phase == "return") CHECK(event.entered <= event.t);
  }
  CHECK(phase == "return");
  CHECK(id >= 6);
}

TEST_CASE("the log of a dnc that is killed while it blocks is complete") {
  Listener listener;
  DncProcess dnc({"127.0.0.1", listener.port_text()});
  Peer peer = listener.accept();
  dnc.wait_for_enter("poll");
  dnc.signal(SIGKILL);
  CHECK(dnc.wait_for_end().signal == SIGKILL);
  CHECK(dnc.events().back().enters("poll"));
}

TEST_CASE("dnc continues when the reader of its log goes away") {
  Listener listener;
  DncProcess dnc({"127.0.0.1", listener.port_text()});
  Peer peer = listener.accept();
  dnc.wait_for_enter("poll");
  dnc.close_events();
  peer.send("hello");
  dnc.wait_for_output("hello");
  dnc.type("and out again");
  CHECK(peer.receive(13) == "and out again");
}

TEST_CASE("--events with a closed descriptor is a usage error") {
  const Run run = run_dnc({"--events", "99", "127.0.0.1", "1"});
  CHECK(run.end.status == 2);
  CHECK(run.errors == "dnc: descriptor 99 is not open\n");
}

TEST_CASE("dnc prints one line and continues when the disk is full") {
  Listener listener;
  DncProcess dnc(
      {"--log-format", "json", "--log-file", "/dev/full", "127.0.0.1", listener.port_text()},
      false);
  dnc.close_events();
  Peer peer = listener.accept();
  dnc.wait_for_error_text("dnc: cannot write the log of calls: ");
  CHECK_THAT(dnc.errors(), Contains("No space left on device"));
  peer.send("hello");
  dnc.wait_for_output("hello");
}

TEST_CASE("a usage error prints one line and exits with 2") {
  CHECK(run_dnc({}).end.status == 2);
  CHECK(run_dnc({"--log-file", "/nowhere/x", "127.0.0.1", "1"}).end.status == 2);
  const Run run = run_dnc({"-n", "kodos", "80"});
  CHECK(run.end.status == 2);
  CHECK(run.errors.find('\n') == run.errors.size() - 1);
  CHECK(run_dnc({"--help"}).end.status == 0);
  CHECK_THAT(run_dnc({"--help"}).output, Contains("--on-stdin-eof"));
}

TEST_CASE("the text log of a reset connection is complete") {
  std::string port;
  const Run run = reset_run({}, port);
  CHECK(run.end.status == 1);
  CHECK(masked(run.errors, port) == R"(TIME: calling socket(AF_INET, SOCK_STREAM)
TIME: created socket, fd 3
TIME: establishing connection to 127.0.0.1:PORT
TIME: connected: LOCAL to 127.0.0.1:PORT
TIME: entering poll()
TIME: poll returned events 0x0/0x19 (0/IN|ERR|HUP)
TIME: reading from socket
TIME: read from socket failed: ECONNRESET (Connection reset by peer)
dnc: read: Connection reset by peer
TIME: calling close(3)
TIME: close returned 0
)");
}

TEST_CASE("the truss log has a base time stamp, then calls") {
  std::string port;
  const Run run = reset_run({"--log-format", "truss"}, port);
  const std::string pattern =
      R"(Base time stamp:  \d+\.\d{4}  \[ \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4} \]\n)"
      R"( +\d+\.\d{4} socket\(AF_INET, SOCK_STREAM\) +=\ 3\n)"
      R"(connect\(3, 127\.0\.0\.1:\d+\) \(sleeping\.\.\.\)\n)"
      R"( +\d+\.\d{4} connect\(3, 127\.0\.0\.1:\d+\) += 0 \[.*\]\n)"
      R"(poll\(3, \{fd -1\} \{fd 3 IN\}, timeout none\) \(sleeping\.\.\.\)\n)"
      R"( +\d+\.\d{4} poll\(3, \{fd -1\} \{fd 3 IN\}, timeout none\) += 1 \[0x0/0x19 .*\]\n)"
      R"( +\d+\.\d{4} read\(3, 262144\) +Err#104 ECONNRESET\n)"
      R"(dnc: read: Connection reset by peer\n)"
      R"(close\(3\) \(sleeping\.\.\.\)\n +\d+\.\d{4} close\(3\) += 0\n)";
  INFO(run.errors);
  CHECK(std::regex_match(run.errors, std::regex(pattern)));
}

TEST_CASE("the JSON log has the events on standard error") {
  std::string port;
  const Run run = reset_run({"--log-format", "json"}, port);
  std::istringstream lines(run.errors);
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(parse_call_event(line).enters("socket"));
}

TEST_CASE("--log-file takes the log, and errors stay on standard error") {
  char folder[] = "/tmp/dnc-log-XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/log";
  std::string port;
  const Run run = reset_run({"--log-file", path}, port);
  CHECK(run.errors == "dnc: read: Connection reset by peer\n");
  std::stringstream log;
  log << std::ifstream(path).rdbuf();
  CHECK_THAT(log.str(), Contains("entering poll()"));
  ::unlink(path.c_str());
  ::rmdir(folder);
}

TEST_CASE("--stop-on stops dnc at the failing call, after it is logged") {
  Listener listener;
  DncProcess dnc({"--stop-on", "ECONNRESET", "127.0.0.1", listener.port_text()});
  listener.accept().reset();
  REQUIRE(dnc.wait_for_stop());
  CHECK(dnc.wait_for_return("read").error == "ECONNRESET");
  CHECK(dnc.silent_for(std::chrono::milliseconds(100)));
  dnc.signal(SIGCONT);
  CHECK(dnc.wait_for_end().status == 1);
}

TEST_CASE("--abort-on aborts dnc, also for an error from SO_ERROR") {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);  // dnc inherits it; only the signal matters
  Listener listener;
  DncProcess dnc({"--abort-on", "EPIPE", "--abort-on", "EIO", "127.0.0.1", listener.port_text()});
  Peer peer = listener.accept();
  peer.shut_down();
  dnc.wait_for_return("read");
  peer.reset();
  CHECK(dnc.wait_for_end().signal == SIGABRT);
  CHECK(dnc.events().back().value == "EPIPE");
}
