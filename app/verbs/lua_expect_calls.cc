// Expectations about system calls, in two steps: which call (`call "read"`), then what it must
// return (`fails "ECONNRESET"`).
#include <unistd.h>

#include <climits>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/at_deadline.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "app/verbs/notice_pattern.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

/// A call of a subject's program.
struct ExpectedCall {
  static constexpr const char* kLuaName = "expected_call";
  Subject subject;
  std::string call;
  std::optional<int> standard_stream;
  std::vector<std::string> arguments;
  std::uint64_t unfinished = 0;  // until a verb says what it returns
};

/// Reads the arguments after the call's name: a standard stream of read or write, and arguments
/// that the call must have.
void read_arguments(LuaCall& call, ExpectedCall& expected) {
  for (int i = 2; i <= call.count(); ++i) {
    const std::string word = call.word(i);
    if (expected.call == "read" && word == "stdin")
      expected.standard_stream = STDIN_FILENO;
    else if (expected.call == "write" && word == "stdout")
      expected.standard_stream = STDOUT_FILENO;
    else if (word == "stdin" || word == "stdout")
      throw base::UsageError("there is no " + expected.call + " of \"" + word +
                             "\"; use call(\"read\", \"stdin\"), call(\"write\", \"stdout\"), or "
                             "no second argument for the socket");
    else
      expected.arguments.push_back(word);
  }
}

int subject_call(LuaCall& call) {
  const Subject subject = subject_of(call);
  if (subject.program == nullptr)
    throw base::UsageError("a call is made by a program; expect it of one, not of a host");
  const std::string name = known_call(call.text(1, "the call's name"));
  ExpectedCall expected{.subject = subject, .call = name};
  read_arguments(call, expected);
  expected.unfinished = context_of(call).unfinished().add(
      call.line(), "nothing is expected of this " + name +
                       "; add what it must return, as in call(\"" + name + "\"):returns()");
  return push_object(call.lua, expected);
}

std::unique_ptr<CallPattern> call_pattern(LuaCall& call) {
  const ExpectedCall& expected = call.self<ExpectedCall>();
  context_of(call).unfinished().finish(expected.unfinished);
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = expected.subject.host->name();
  pattern->program = expected.subject.program->name();
  pattern->call = expected.call;
  pattern->is_traced = expected.subject.program->calls().is_traced();
  pattern->connection = calls_of(expected.subject);
  pattern->standard_stream = expected.standard_stream;
  pattern->arguments = expected.arguments;
  return pattern;
}

int expect_call(LuaCall& call, std::unique_ptr<CallPattern> pattern) {
  const Subject& subject = call.self<ExpectedCall>().subject;
  return expect_of_program(call, subject, subject.stream("call"), std::move(pattern));
}

int poll_events_argument(LuaCall& call, int index) {
  const std::string text = call.text(index, "poll's revents");
  if (const auto events = capture::parse_poll_events(text)) return *events;
  throw base::UsageError("\"" + text +
                         "\" are no events of poll(2); e.g. \"IN|ERR|HUP\", \"0x18\"");
}

/// The call in which a program waits for its sockets: poll(2), select(2) or epoll_wait(2).
std::unique_ptr<CallPattern> waiting_call(const Subject& subject) {
  if (subject.program == nullptr)
    throw base::UsageError("a call is made by a program; expect it of one, not of a host");
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = subject.host->name();
  pattern->program = subject.program->name();
  pattern->call = "poll";
  pattern->is_traced = true;
  pattern->connection = calls_of(subject);
  return pattern;
}

/// lab:expect(program):wakes "ERR|HUP"
int subject_wakes(LuaCall& call) {
  const Subject subject = subject_of(call);
  auto pattern = waiting_call(subject);
  pattern->woken_by = poll_events_argument(call, 1);
  return expect_of_program(call, subject, subject.stream("call"), std::move(pattern));
}

int subject_times_out(LuaCall& call) {
  const Subject subject = subject_of(call);
  if (subject.program != nullptr) whole_program_of(subject, "times_out()");
  auto pattern = waiting_call(subject);
  pattern->result = 0;
  pattern->has_waited = true;
  return expect_of_program(call, subject, subject.stream("call"), std::move(pattern));
}

int subject_notices(LuaCall& call) {
  const Subject subject = subject_of(call);
  if (subject.program == nullptr)
    throw base::UsageError("a program notices something; expect it of one, not of a host");
  auto pattern = std::make_shared<NoticePattern>();
  pattern->host = subject.host->name();
  pattern->program = subject.program->name();
  pattern->connection = calls_of(subject);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  return expect(call, subject,
                [pattern, stream = subject.stream("call"), &laboratory, &program = *subject.program,
                 &host = *subject.host](base::Instant deadline, base::nanoseconds span) {
                  auto wait = std::make_unique<NoticeExpectation>(deadline, span, pattern,
                                                                  laboratory.timeline());
                  wait->stream = stream;
                  wait->ruled_out = [&program] { return obstacle(program); };
                  wait->instead = [&] {
                    return program_at_deadline(program, host, laboratory.clock().now());
                  };
                  return wait;
                });
}

int call_returns(LuaCall& call) {
  auto pattern = call_pattern(call);
  if (call.has(1)) pattern->result = call.whole(1, "the result", -1, INT_MAX);
  if (call.has(2)) pattern->revents = poll_events_argument(call, 2);
  return expect_call(call, std::move(pattern));
}

int call_reports(LuaCall& call) {
  auto pattern = call_pattern(call);
  pattern->revents = poll_events_argument(call, 1);
  return expect_call(call, std::move(pattern));
}

int errno_argument(LuaCall& call) {
  const std::string name = call.text(1, "the error's name");
  if (const int error = base::errno_number(name); error != 0) return error;
  throw base::UsageError("there is no errno " + name);
}

int call_fails(LuaCall& call) {
  auto pattern = call_pattern(call);
  pattern->error = errno_argument(call);
  pattern->result = -1;
  return expect_call(call, std::move(pattern));
}

/// SO_ERROR gives the name of an errno, or 0; another option gives a number or a name.
int call_gives(LuaCall& call) {
  const std::string& name = call.self<ExpectedCall>().call;
  if (name != "getsockopt" && name != "ioctl")
    throw base::UsageError("only getsockopt and ioctl give a value, not " + name);
  auto pattern = call_pattern(call);
  pattern->result = 0;
  if (lua_type(call.lua, 2) == LUA_TNUMBER)
    pattern->value = call.whole(1, "the value", INT_MIN, UINT_MAX);
  else if (call.text(1, "the value").starts_with('E'))
    pattern->error = errno_argument(call);
  else
    pattern->value = call.text(1, "the value");
  return expect_call(call, std::move(pattern));
}

int call_is_entered(LuaCall& call) {
  auto pattern = call_pattern(call);
  pattern->entered = true;
  return expect_call(call, std::move(pattern));
}

/// The verbs of expectations about a program, and of conditions.
std::vector<LuaVerb> program_verbs() {
  return {
      {"call",
       subject_call,
       "Names a system call of a program; the next verb says what it must return.",
       {{"name", "call_name"},
        {"...", "string|number", "\"stdin\", \"stdout\", or an argument: \"TCP_NODELAY\""}},
       {"expected_call"}},
      {"wakes",
       subject_wakes,
       "Expects that poll, select or epoll_wait reports at least these events of one socket.",
       {{"events", "string", "\"ERR|HUP\""}},
       {"event"}},
      {"times_out",
       subject_times_out,
       "Expects that its poll, select or epoll_wait times out: the program's own timer.",
       {},
       {"event"}},
      {"notices",
       subject_notices,
       "Expects that a call fails, the stream ends, its own timer fires, or it ends: the first.",
       {},
       {"event"}}};
}

}  // namespace

LuaModule calls_module() {
  return {.classes = {lua_class<Subject>(program_verbs()), lua_class<LuaProgram>(program_verbs()),
                      lua_class<ExpectedCall>(
                          {{"returns",
                            call_returns,
                            "Expects that the call returns this result.",
                            {{"result?", "integer", "any by default", {-1, INT_MAX}},
                             {"revents?", "string", "poll: the revents of the socket, \"IN|HUP\""}},
                            {"event"}},
                           {"reports",
                            call_reports,
                            "Expects exactly these revents of the socket, from poll.",
                            {{"revents", "string", "\"IN|ERR|HUP\", \"0x19\""}},
                            {"event"}},
                           {"fails",
                            call_fails,
                            "Expects that the call fails with this errno.",
                            {{"errno", "errno_name"}},
                            {"event"}},
                           {"gives",
                            call_gives,
                            "Expects that getsockopt or ioctl stores this value.",
                            {{"value", "errno_name|string|integer", "an errno for SO_ERROR"}},
                            {"event"}},
                           {"is_entered",
                            call_is_entered,
                            "Expects that the program is in that call.",
                            {},
                            {"event"}}})},
          .words = {{"call_name", call_names()},
                    {"errno_name",
                     {"EAGAIN", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "EINPROGRESS",
                      "EINTR", "ENETUNREACH", "ENOBUFS", "ENOTCONN", "EPIPE", "ETIMEDOUT"},
                     true,
                     [](const std::string& name) {
                       if (base::errno_number(name) == 0)
                         throw base::UsageError("there is no errno " + name);
                     }}}};
}

}  // namespace tcplab::app
