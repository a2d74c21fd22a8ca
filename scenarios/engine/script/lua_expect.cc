// Expectations in scripts. A subject (lab:expect, lab:never) says about whom and how long;
// its verbs wait for what should come. An expectation about calls is written in two steps:
// which call (`call "read"`), then what it should have returned (`fails "ECONNRESET"`).
#include <unistd.h>

#include <chrono>
#include <climits>

#include "base/error.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"
#include "scenarios/engine/script/lua_subject.hh"

namespace tcplab::engine {

using capture::ProgramChange;
using capture::TcpState;
using namespace std::chrono_literals;

Subject& subject_of(LuaCall& call) { return call.self<Subject>(); }

int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::unique_ptr<Pattern> pattern) {
  Experiment& experiment = call.experiment();
  const base::Instant deadline = experiment.laboratory().clock().now() + subject.span;
  std::unique_ptr<Suspension> suspension;
  if (subject.never) {
    suspension = std::make_unique<Never>(deadline, subject.span, std::move(pattern));
  } else {
    suspension = std::make_unique<Eventually>(deadline, subject.span, std::move(pattern));
  }
  suspension->stream = stream;
  suspension->line = call.line();
  if (subject.host != nullptr) suspension->host = subject.host->name();
  return subject.never ? experiment.suspend_from_now(std::move(suspension))
                       : experiment.suspend(std::move(suspension));
}

namespace {

/// A subject's call, and what is known of its return so far.
struct ExpectedCall {
  static constexpr const char* kLuaName = "expected call";
  Subject subject;
  std::string call;
  std::optional<int> standard_stream;
};

Subject subject_at(LuaCall& call, int index) {
  Subject subject;
  if (const LuaProgram* program = call.find<LuaProgram>(index)) {
    subject.program = program->program;
    subject.host = call.experiment().laboratory().find_host(program->program->host());
  } else {
    subject.host = call.object<LuaHost>(index, "about whom").host;
  }
  return subject;
}

TcpState state_argument(LuaCall& call) {
  const std::string text = call.text(1, "the state");
  if (const auto state = capture::tcp_state(text)) return *state;
  throw base::UsageError("there is no TCP state \"" + text +
                         "\"; as ss spells them: SYN_SENT, SYN_RECV, ESTABLISHED, FIN_WAIT1, "
                         "FIN_WAIT2, TIME_WAIT, CLOSE_WAIT, LAST_ACK, CLOSING, LISTEN, CLOSED");
}

std::unique_ptr<StatePattern> state_pattern(const Subject& subject, std::optional<TcpState> to) {
  auto pattern = std::make_unique<StatePattern>();
  pattern->host = subject.host->name();
  pattern->subject = subject.title();
  pattern->to = to;
  pattern->owns = [subject](const ConnectionKey& key) { return subject.owns(key); };
  return pattern;
}

/// The states that the subject's connections are in now: "ESTABLISHED", "no connection".
std::string states_now(const Subject& subject) {
  std::string text;
  for (const auto& [key, socket] : subject.host->connections().sockets())
    if (subject.owns(key)) text += (text.empty() ? "" : ", ") + std::string(name(socket.state));
  return text.empty() ? "no connection" : text;
}

bool is_in(const Subject& subject, TcpState state) {
  bool any = false;
  for (const auto& [key, socket] : subject.host->connections().sockets()) {
    if (!subject.owns(key)) continue;
    if (socket.state == state) return true;
    any = true;
  }
  return state == TcpState::closed && !any;
}

bool changed_since(LuaCall& call, const Subject& subject, std::uint64_t number) {
  const auto pattern = state_pattern(subject, std::nullopt);
  bool changed = false;
  call.experiment().laboratory().timeline().visit_after(number, [&](const capture::Event& event) {
    changed = pattern->look(event) == Match::yes;
    return !changed;
  });
  return changed;
}

/// subject:in_state "FIN_WAIT2": it comes to that state, or is in it.
int subject_in_state(LuaCall& call) {
  const Subject& subject = subject_of(call);
  const TcpState state = state_argument(call);
  const std::string stream = subject.stream("state");
  Experiment& experiment = call.experiment();
  experiment.laboratory().look_at_all();
  const bool fresh = changed_since(call, subject, experiment.cursor(stream));
  if (!subject.never && !fresh && is_in(subject, state)) {
    return experiment.judge(true, subject.title() + " in state " + std::string(name(state)),
                            "it is", subject.host->name(), call.line());
  }
  return expect(call, subject, stream, state_pattern(subject, state));
}

/// subject:still_in_state "ESTABLISHED": it is in that state now, and nothing has happened to
/// its state since the last expectation about it.
int subject_still_in_state(LuaCall& call) {
  const Subject& subject = subject_of(call);
  const TcpState state = state_argument(call);
  Experiment& experiment = call.experiment();
  experiment.laboratory().look_at_all();
  const bool changed = changed_since(call, subject, experiment.cursor(subject.stream("state")));
  return experiment.judge(is_in(subject, state) && !changed,
                          subject.title() + " still in state " + std::string(name(state)),
                          states_now(subject) + (changed ? ", after a change" : ""),
                          subject.host->name(), call.line());
}

int subject_has_no_connection(LuaCall& call) {
  const Subject subject = subject_of(call);
  Experiment& experiment = call.experiment();
  experiment.laboratory().look_at_all();
  return experiment.suspend_until(
      subject.span, subject.title() + " has no connection",
      [subject] {
        const bool none = subject.host->connections().connection_count() == 0;
        return Condition::Status{none, none ? "it has none" : states_now(subject)};
      },
      call.line());
}

/// subject:listens(8080): something on the host does.
int subject_listens(LuaCall& call) {
  const Subject subject = subject_of(call);
  const std::int64_t port = call.whole(1, "the port", 1, 65535);
  Experiment& experiment = call.experiment();
  return experiment.suspend_until(
      subject.span, subject.host->name() + " listens on port " + call.word(1),
      [&experiment, subject, port] {
        experiment.laboratory().look_at_all();
        for (const auto& [key, socket] : subject.host->connections().sockets()) {
          if (socket.state == TcpState::listen && key.local.port == port)
            return Condition::Status{true, "it does"};
        }
        return Condition::Status{false, "nothing listens there"};
      },
      call.line());
}

/// The socket's calls are meant, unless these are named.
std::optional<int> standard_stream_argument(LuaCall& call, const std::string& name) {
  if (!call.has(2)) return std::nullopt;
  const std::string stream = call.text(2, "the standard stream");
  if (name == "read" && stream == "stdin") return STDIN_FILENO;
  if (name == "write" && stream == "stdout") return STDOUT_FILENO;
  throw base::UsageError("there is no " + name + " of \"" + stream +
                         "\"; call(\"read\", \"stdin\") and call(\"write\", \"stdout\") are "
                         "what is not the socket's");
}

/// subject:call "read", subject:call("read", "stdin")
int subject_call(LuaCall& call) {
  const Subject& subject = subject_of(call);
  if (subject.program == nullptr)
    throw base::UsageError("a call is made by a program; expect it of one, not of a host");
  const std::string name = known_call(call.text(1, "the call's name"));
  return push_object(call.lua, ExpectedCall{subject, name, standard_stream_argument(call, name)});
}

LabProgram& program_of(const Subject& subject) {
  if (subject.program == nullptr) throw base::UsageError("expect that of a program, not of a host");
  return *subject.program;
}

int expect_program(LuaCall& call, ProgramChange change, std::optional<int> code,
                   std::optional<std::string> text) {
  const Subject& subject = subject_of(call);
  auto pattern = std::make_unique<ProgramPattern>();
  pattern->host = subject.host->name();
  pattern->program = program_of(subject).name();
  pattern->change = change;
  pattern->code = code;
  pattern->text = std::move(text);
  return expect(call, subject, subject.stream("program"), std::move(pattern));
}

/// subject:exits(0), subject:exits()
int subject_exits(LuaCall& call) {
  std::optional<int> status;
  if (call.has(1)) status = static_cast<int>(call.whole(1, "the exit status", 0, 255));
  return expect_program(call, ProgramChange::exited, status, std::nullopt);
}

/// subject:killed_by "SIGPIPE"
int subject_killed_by(LuaCall& call) {
  const std::string name = call.text(1, "the signal");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return expect_program(call, ProgramChange::killed, signal, std::nullopt);
}

/// subject:prints "hello"
int subject_prints(LuaCall& call) {
  return expect_program(call, ProgramChange::wrote, std::nullopt, call.text(1, "the text"));
}

int subject_still_runs(LuaCall& call) {
  const Subject& subject = subject_of(call);
  const bool runs = program_of(subject).running();
  return call.experiment().judge(runs, subject.title() + " still runs",
                                 runs ? "it does" : "it has ended", subject.host->name(),
                                 call.line());
}

/// subject:sleeps(): it waits in the kernel, in the call that it is in.
int subject_sleeps(LuaCall& call) {
  const Subject& subject = subject_of(call);
  return call.experiment().suspend_asking(
      subject.span, subject.title() + " sleeps",
      [&program = program_of(subject)] {
        const bool sleeps = program.sleeps();
        return Condition::Status{sleeps, sleeps ? "it does" : "it is awake, or has ended"};
      },
      call.line());
}

/// subject:within(seconds): how long to wait for what comes next.
int subject_within(LuaCall& call) {
  subject_of(call).span = call.span(1, "how long");
  return call.push_self();
}

std::unique_ptr<CallPattern> call_pattern(const ExpectedCall& expected) {
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = expected.subject.host->name();
  pattern->program = expected.subject.program->name();
  pattern->call = expected.call;
  pattern->standard_stream = expected.standard_stream;
  return pattern;
}

int expect_call(LuaCall& call, std::unique_ptr<CallPattern> pattern) {
  const Subject& subject = call.self<ExpectedCall>().subject;
  return expect(call, subject, subject.stream("call"), std::move(pattern));
}

int poll_events_argument(LuaCall& call, int index) {
  const std::string text = call.text(index, "poll's revents");
  if (const auto events = capture::parse_poll_events(text)) return *events;
  throw base::UsageError("\"" + text +
                         "\" are no events of poll(2); e.g. \"IN|ERR|HUP\", \"0x18\"");
}

/// call "read":returns(22), :returns(1, "IN|ERR|HUP") for poll, :returns() for any value.
int call_returns(LuaCall& call) {
  auto pattern = call_pattern(call.self<ExpectedCall>());
  if (call.has(1)) pattern->result = call.whole(1, "the result", -1, INT_MAX);
  if (call.has(2)) pattern->revents = poll_events_argument(call, 2);
  return expect_call(call, std::move(pattern));
}

/// call "poll":reports "IN|ERR|HUP"
int call_reports(LuaCall& call) {
  auto pattern = call_pattern(call.self<ExpectedCall>());
  pattern->revents = poll_events_argument(call, 1);
  return expect_call(call, std::move(pattern));
}

int errno_argument(LuaCall& call) {
  const std::string name = call.text(1, "the error's name");
  if (const int error = base::errno_number(name); error != 0) return error;
  throw base::UsageError("there is no errno " + name);
}

/// call "read":fails "ECONNRESET"
int call_fails(LuaCall& call) {
  auto pattern = call_pattern(call.self<ExpectedCall>());
  pattern->error = errno_argument(call);
  pattern->result = -1;
  return expect_call(call, std::move(pattern));
}

/// call "getsockopt":gives "EPIPE": the value of SO_ERROR
int call_gives(LuaCall& call) {
  auto pattern = call_pattern(call.self<ExpectedCall>());
  pattern->error = errno_argument(call);
  pattern->result = 0;
  return expect_call(call, std::move(pattern));
}

/// call "poll":is_entered(): the program is in it
int call_is_entered(LuaCall& call) {
  auto pattern = call_pattern(call.self<ExpectedCall>());
  pattern->entered = true;
  return expect_call(call, std::move(pattern));
}

capture::Fate fate_named(const std::string& name) {
  if (name == "delivered") return capture::Fate::delivered;
  if (name == "lost") return capture::Fate::lost;
  if (name == "held") return capture::Fate::held;
  if (name == "forged") return capture::Fate::forged;
  if (name == "delayed") return capture::Fate::delayed;
  throw base::UsageError(
      "option `fate` is \"delivered\", \"lost\", \"held\", \"delayed\" or \"forged\"");
}

int expect_packet(LuaCall& call, base::nanoseconds span, bool never, int first) {
  Experiment& experiment = call.experiment();
  call.allow_options(first + 2, {"fate", "within"});
  call.text(first, "the direction");
  auto pattern = std::make_unique<PacketPattern>(frame_filter(call, first));
  pattern->bytes_of = [&experiment](std::uint64_t number) {
    return experiment.laboratory().watch().frame(number);
  };
  if (const auto fate = call.option_text(first + 2, "fate")) {
    pattern->fate = fate_named(*fate);
  }
  if (const auto within = call.option_number(first + 2, "within"))
    span = std::chrono::duration_cast<base::nanoseconds>(std::chrono::duration<double>(*within));
  const Subject nobody{.host = nullptr, .program = nullptr, .span = span, .never = never};
  return expect(call, nobody, "packet", std::move(pattern));
}

}  // namespace

int lab_expect(LuaCall& call) { return push_object(call.lua, subject_at(call, 1)); }

/// lab:never(subject, seconds):call "read":returns()
int lab_never(LuaCall& call) {
  Subject subject = subject_at(call, 1);
  subject.span = call.span(2, "for how long");
  subject.never = true;
  return push_object(call.lua, subject);
}

/// lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0", { fate = "lost" })
int lab_expect_packet(LuaCall& call) { return expect_packet(call, kPatience, false, 1); }

/// lab:never_packet(seconds, "kodos > kang", "tcp")
int lab_never_packet(LuaCall& call) {
  return expect_packet(call, call.span(1, "for how long"), true, 2);
}

void install_expectations(lua_State* lua) {
  register_class<Subject>(lua, {{"within", subject_within},
                                {"in_state", subject_in_state},
                                {"still_in_state", subject_still_in_state},
                                {"has_no_connection", subject_has_no_connection},
                                {"listens", subject_listens},
                                {"call", subject_call},
                                {"kernel", subject_kernel},
                                {"exits", subject_exits},
                                {"killed_by", subject_killed_by},
                                {"prints", subject_prints},
                                {"still_runs", subject_still_runs},
                                {"sleeps", subject_sleeps}});
  register_class<ExpectedCall>(lua, {{"returns", call_returns},
                                     {"reports", call_reports},
                                     {"fails", call_fails},
                                     {"gives", call_gives},
                                     {"is_entered", call_is_entered}});
}

}  // namespace tcplab::engine
