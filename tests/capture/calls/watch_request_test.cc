// What a run asks of a watcher arrives as it was said.
#include "capture/calls/watch_request.hh"

#include <cerrno>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::parse_watch_request;

TEST_CASE("a request is read as it was written") {
  const capture::InjectionRule rule{
      .call = "recv",
      .error = EINTR,
      .bytes = 0,
      .delay = 300ms,
      .nth = 3,
      .times = 2,
      .local = base::Endpoint{*base::IpAddress::parse("10.0.0.1"), 40000},
      .remote = base::Endpoint{*base::IpAddress::parse("fd00::2"), 8080},
      .state = capture::TcpState::close_wait,
      .after_bytes = 1U << 31};
  const auto added = parse_watch_request(capture::to_text(capture::AddInjection{17, 4, rule}));
  REQUIRE(std::holds_alternative<capture::AddInjection>(added));
  CHECK(std::get<capture::AddInjection>(added).process == 17);
  CHECK(std::get<capture::AddInjection>(added).id == 4);
  CHECK(std::get<capture::AddInjection>(added).rule == rule);

  const auto traced = parse_watch_request(capture::to_text(capture::TraceProgram{17}));
  CHECK(std::get<capture::TraceProgram>(traced).process == 17);
  const auto stacked =
      parse_watch_request(capture::to_text(capture::TraceProgram{17, {"ECONNRESET", "any"}}));
  CHECK(std::get<capture::TraceProgram>(stacked).process == 17);
  CHECK(std::get<capture::TraceProgram>(stacked).stacks ==
        std::vector<std::string>{"ECONNRESET", "any"});
  CHECK(std::get<capture::TraceProgram>(stacked).abort_on.empty());
  const auto aborted = parse_watch_request(
      capture::to_text(capture::TraceProgram{17, {"any"}, {"ETIMEDOUT", "EPIPE"}}));
  CHECK(std::get<capture::TraceProgram>(aborted).stacks == std::vector<std::string>{"any"});
  CHECK(std::get<capture::TraceProgram>(aborted).abort_on ==
        std::vector<std::string>{"ETIMEDOUT", "EPIPE"});
  const auto probed = parse_watch_request(capture::to_text(
      capture::TraceProgram{17, {"any"}, {}, {"python:line", "*:*", "abort:begin"}}));
  CHECK(std::get<capture::TraceProgram>(probed).stacks == std::vector<std::string>{"any"});
  CHECK(std::get<capture::TraceProgram>(probed).probes ==
        std::vector<std::string>{"python:line", "*:*", "abort:begin"});
  CHECK(std::get<capture::TraceProgram>(probed).abort_on.empty());
  const auto cored = parse_watch_request(capture::to_text(
      capture::TraceProgram{17, {}, {"any"}, {"a:b"}, "/my runs/core.kang-curl stack=x"}));
  CHECK(std::get<capture::TraceProgram>(cored).core == "/my runs/core.kang-curl stack=x");
  CHECK(std::get<capture::TraceProgram>(cored).probes == std::vector<std::string>{"a:b"});
  CHECK(std::get<capture::TraceProgram>(cored).stacks.empty());
  // Whatever a word looks like, it stays what it is.
  const auto lookalike = parse_watch_request(capture::to_text(
      capture::TraceProgram{17, {"probe=a:b"}, {"stack=any"}, {"abort=x:y", "stack=x:y"}}));
  CHECK(std::get<capture::TraceProgram>(lookalike).stacks == std::vector<std::string>{"probe=a:b"});
  CHECK(std::get<capture::TraceProgram>(lookalike).abort_on ==
        std::vector<std::string>{"stack=any"});
  CHECK(std::get<capture::TraceProgram>(lookalike).probes ==
        std::vector<std::string>{"abort=x:y", "stack=x:y"});
  const auto asked = parse_watch_request(capture::to_text(capture::AskInjection{4}));
  CHECK(std::get<capture::AskInjection>(asked).id == 4);
  const auto request = parse_watch_request(capture::to_text(capture::TellCalls{17}));
  CHECK(std::get<capture::TellCalls>(request).process == 17);
  const auto removed = parse_watch_request(capture::to_text(capture::RemoveInjection{4}));
  CHECK(std::get<capture::RemoveInjection>(removed).id == 4);
}

TEST_CASE("options to impose are read as they were written") {
  const auto* option = base::find_socket_option("TCP_USER_TIMEOUT");
  const auto read =
      parse_watch_request(capture::to_text(capture::ImposeOptions{{{option, 30000}}}));
  const auto& options = std::get<capture::ImposeOptions>(read).options;
  REQUIRE(options.size() == 1);
  CHECK(options[0].option == option);
  CHECK(options[0].value == 30000);
  CHECK(std::get<capture::ImposeOptions>(parse_watch_request("impose")).options.empty());
}

TEST_CASE("any other request is refused") {
  CHECK_THROWS_AS(parse_watch_request("impose TCP_NO_SUCH 1"), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request(""), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request("17"), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request("trace x"), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request("trace 17 any"), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request("trace 17 python:line"), base::UsageError);
  CHECK_THROWS_AS(parse_watch_request("inject 17 4 {}"), base::UsageError);
}
