// A guest's agent traces programs.
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "capture/calls/watch_request.hh"
#include "capture/event/event_json.hh"
#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using tests::GuestLab;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> kTraced = {capture::to_text(capture::TraceProgram{})};
// Connects to a port where nobody listens.
const std::string kConnect = "import socket\nprint(socket.socket().connect_ex(('127.0.0.1', 9)))";

capture::InjectionRule fails(const std::string& call, int error) {
  capture::InjectionRule rule;
  rule.call = call;
  rule.error = error;
  return rule;
}

/// Returns the calls of a program that have returned, and the lines that are no events.
struct Record {
  std::vector<capture::Call> calls;
  std::vector<std::string> ends;

  std::string result_of(const std::string& call) const {
    for (const capture::Call& each : calls)
      if (each.call == call) return each.error == 0 ? "done" : base::errno_name(each.error);
    return "none";
  }
};

Record record_of(GuestLab& lab, pid_t program) {
  Record record;
  std::istringstream lines(lab.witness("kang").outputs[{program, uml::kCallsStream}]);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('{')) {
      record.ends.push_back(line);
      continue;
    }
    const capture::Event event = capture::parse_event(line);
    if (const auto* call = std::get_if<capture::Call>(&event.body))
      if (call->phase == capture::CallPhase::leave) record.calls.push_back(*call);
  }
  return record;
}

bool await_end(GuestLab& lab, pid_t program) {
  const std::pair<pid_t, int> calls{program, uml::kCallsStream};
  return lab.await(
      [&] {
        const auto& closed = lab.witness("kang").closed;
        return lab.witness("kang").ends.contains(program) &&
               std::ranges::find(closed, calls) != closed.end();
      },
      20s);
}

}  // namespace

TEST_CASE("a guest tells the calls of a traced program, and its end", "[calls]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run("kang", {"python3", "-c", kConnect}, kTraced);
  REQUIRE(await_end(lab, program));
  CHECK(lab.text("kang", program) == std::to_string(ECONNREFUSED) + "\n");
  const Record record = record_of(lab, program);
  CHECK(record.result_of("socket") == "done");
  CHECK(record.result_of("connect") == "ECONNREFUSED");
  CHECK(record.ends == std::vector<std::string>{std::to_string(program)});
  CHECK(WEXITSTATUS(lab.witness("kang").ends[program]) == 0);
}

TEST_CASE("a guest changes a call of a traced program", "[calls]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  auto requests = kTraced;
  requests.push_back(capture::to_text(capture::AddInjection{0, 7, fails("connect", EHOSTUNREACH)}));
  const pid_t program = lab.run("kang", {"python3", "-c", kConnect}, requests);
  REQUIRE(await_end(lab, program));
  CHECK(lab.text("kang", program) == std::to_string(EHOSTUNREACH) + "\n");
  CHECK(record_of(lab, program).result_of("connect") == "EHOSTUNREACH");
  uml::GuestPrograms& programs = lab.guest("kang").programs();
  CHECK(programs.ask_tracer(capture::to_text(capture::AskInjection{7})) == 0);  // it changed one
  CHECK(programs.ask_tracer(
            capture::to_text(capture::AddInjection{program, 8, fails("recv", EINTR)})) == ESRCH);
}

TEST_CASE("a traced program that cannot start says why", "[calls]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  CHECK_THROWS_WITH(lab.run("kang", {"no-such-program"}, kTraced),
                    "kang: cannot run no-such-program: No such file or directory (ENOENT)");
  const pid_t program = lab.run("kang", {"sh", "-c", "kill -9 $$"}, kTraced);
  REQUIRE(await_end(lab, program));
  CHECK(WTERMSIG(lab.witness("kang").ends[program]) == SIGKILL);
}

TEST_CASE("many calls of a traced program arrive whole", "[calls]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const pid_t program = lab.run(
      "kang", {"python3", "-c", "import socket\nfor i in range(3000): socket.socket().close()"},
      kTraced);
  REQUIRE(lab.await([&] { return lab.witness("kang").ends.contains(program); }, 120s));
  REQUIRE(await_end(lab, program));
  CHECK(record_of(lab, program).calls.size() == 6000);
}
