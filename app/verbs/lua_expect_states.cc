// Expectations about TCP states and timers.
#include <algorithm>
#include <array>
#include <chrono>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

using capture::TcpState;

namespace {

constexpr base::nanoseconds kTimerPoll = std::chrono::milliseconds(5);

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
  pattern->owns = [subject](const lab::ConnectionKey& key) { return subject.owns(key); };
  return pattern;
}

constexpr int kStatesShown = 10;
constexpr const char* kNoConnection = "no connection";
constexpr int kEventsPerTurn = 256;

/// The states that the subject's connections are in now: "ESTABLISHED", "no connection".
std::string states_now(const Subject& subject) {
  std::string text;
  int shown = 0;
  for (const auto& [key, socket] : subject.host->sockets().connections().sockets()) {
    if (!subject.owns(key)) continue;
    if (shown++ == kStatesShown) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::string(name(socket.state));
  }
  return text.empty() ? kNoConnection : text;
}

bool is_in(const Subject& subject, TcpState state) {
  bool any = false;
  for (const auto& [key, socket] : subject.host->sockets().connections().sockets()) {
    if (!subject.owns(key)) continue;
    if (socket.state == state) return true;
    any = true;
  }
  return state == TcpState::closed && !any;
}

/// For a failure: returns the states of the subject's connections, as in "still ESTABLISHED".
/// Returns "" if one of them is in `state`: it was there before, and has not entered it again.
std::string state_at_deadline(const Subject& subject, TcpState state) {
  if (is_in(subject, state)) return "";
  const std::string now = states_now(subject);
  return now == kNoConnection ? now : "still " + now;
}

bool changed_since(LuaCall& call, const Subject& subject, std::uint64_t number) {
  const auto pattern = state_pattern(subject, std::nullopt);
  bool changed = false;
  int seen = 0;
  lab::Laboratory& laboratory = context_of(call).laboratory();
  laboratory.timeline().visit_after(number, [&](const capture::Event& event) {
    changed = pattern->look(event) == Match::yes;
    if (++seen % kEventsPerTurn == 0)
      laboratory.network().pump();  // a long history takes long to read
    return !changed;
  });
  return changed;
}

int subject_in_state(LuaCall& call) {
  const Subject subject = subject_of(call);
  const TcpState state = state_argument(call);
  const std::shared_ptr<Pattern> pattern = state_pattern(subject, state);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  return expect(
      call, subject,
      [subject, state, pattern, &laboratory](base::Instant deadline, base::nanoseconds span) {
        laboratory.sockets().look_at(*subject.host);
        auto wait = std::make_unique<Eventually>(deadline, span, pattern);
        wait->stream = subject.stream("state");
        wait->holds_already = [subject, state] { return is_in(subject, state); };
        wait->instead = [subject, state] { return state_at_deadline(subject, state); };
        return wait;
      });
}

int subject_still_in_state(LuaCall& call) {
  const Subject subject = subject_of(call);
  require_expect(subject, "still_in_state");
  const TcpState state = state_argument(call);
  const std::string expected = subject.title() + " still in state " + std::string(name(state));
  if (!is_checked(call, subject, expected)) return 0;
  ScriptContext& context = context_of(call);
  context.laboratory().sockets().look_at(*subject.host);
  const bool changed =
      changed_since(call, subject, context.waiter().cursors().event_at(subject.stream("state")));
  return context.verdicts().judge(is_in(subject, state) && !changed, expected,
                                  states_now(subject) + (changed ? ", after a change" : ""),
                                  subject.host->name(), call.line());
}

/// Throws base::UsageError if the subject is not a host as a whole.
void require_host(const Subject& subject) {
  if (subject.program != nullptr || subject.connection)
    throw base::UsageError("expect that of a host, not of " + subject.title());
}

int subject_has_no_connection(LuaCall& call) {
  const Subject subject = subject_of(call);
  require_host(subject);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  return expect(
      call, subject, [subject, &laboratory](base::Instant deadline, base::nanoseconds span) {
        laboratory.sockets().look_at(*subject.host);
        return std::make_unique<Condition>(
            deadline, span, subject.title() + " has no connection", [subject] {
              const bool none = subject.host->sockets().connections().connection_count() == 0;
              return Condition::Status{none, none ? "it has none" : states_now(subject)};
            });
      });
}

/// Whether a program has the connection, or its kernel keeps it for accept(2). Once the FIN is
/// sent, the program may have called shutdown(2) or close(2); then only the kernel knows.
bool is_held(const lab::LabHost& host, const lab::ConnectionKey& key, TcpState state) {
  switch (state) {
    case TcpState::syn_sent:
    case TcpState::syn_recv:
    case TcpState::established:
    case TcpState::close_wait:
      return true;
    case TcpState::fin_wait1:
    case TcpState::fin_wait2:
    case TcpState::closing:
    case TcpState::last_ack: {
      const auto detail = host.sockets().detail(key);
      return detail && detail->socket.inode != 0;
    }
    default:
      return false;
  }
}

Condition::Status holds_none(const lab::LabHost& host, const lab::LabHost& other) {
  for (const auto& [key, socket] : host.sockets().connections().sockets())
    if (other.network().has_had(key.remote.address) && is_held(host, key, socket.state))
      return {false, "it holds one in " + std::string(name(socket.state))};
  return {true, "it holds none"};
}

int subject_holds_no_connection_to(LuaCall& call) {
  const Subject subject = subject_of(call);
  require_host(subject);
  lab::LabHost& other = *call.object<LuaHost>(1, "to which host").host;
  lab::Laboratory& laboratory = context_of(call).laboratory();
  return expect(call, subject,
                [subject, &other, &laboratory](base::Instant deadline, base::nanoseconds span) {
                  laboratory.sockets().look_at(*subject.host);
                  return std::make_unique<Condition>(
                      deadline, span, subject.title() + " holds no connection to " + other.name(),
                      [subject, &other] { return holds_none(*subject.host, other); });
                });
}

Condition::Status listens_on(lab::LabHost& host, std::int64_t port) {
  host.sockets().look_at_listeners();
  for (const auto& [key, socket] : host.sockets().connections().sockets())
    if (socket.state == TcpState::listen && key.local.port == port) return {true, "it does"};
  return {false, "nothing listens there"};
}

int subject_listens(LuaCall& call) {
  const Subject subject = subject_of(call);
  require_host(subject);
  const std::int64_t port = call.whole(1, "the port", 1, 65535);
  subject.host->require_kernel_tcp("to see who listens");
  return expect(call, subject, [subject, port](base::Instant deadline, base::nanoseconds span) {
    return std::make_unique<Condition>(
        deadline, span, subject.host->name() + " listens on port " + std::to_string(port),
        [subject, port] { return listens_on(*subject.host, port); });
  });
}

/// The timers of sock_diag(7), as capture::timer_name() calls them.
constexpr std::array<const char*, 4> kTimers = {"retransmit", "persist", "keepalive", "time-wait"};

std::string timer_argument(LuaCall& call) {
  std::string timer = call.text(1, "the timer");
  if (std::ranges::find(kTimers, timer) == kTimers.end())
    throw base::UsageError("there is no timer \"" + timer +
                           "\"; a connection has \"retransmit\", \"persist\", \"keepalive\" or "
                           "\"time-wait\"");
  return timer;
}

/// The timers that the subject's connections have now: "persist", "no timer".
std::string timers_now(const Subject& subject) {
  std::string text;
  for (const auto& [key, socket] : subject.host->sockets().connections().sockets()) {
    if (!subject.owns(key)) continue;
    const auto detail = subject.host->sockets().detail(key);
    const std::string timer(detail ? capture::timer_name(detail->socket) : "");
    if (!timer.empty()) text += (text.empty() ? "" : ", ") + timer;
  }
  return text.empty() ? "no timer" : text;
}

int subject_timer(LuaCall& call) {
  const Subject subject = subject_of(call);
  const std::string timer = timer_argument(call);
  return expect(call, subject, [subject, timer](base::Instant deadline, base::nanoseconds span) {
    auto condition = std::make_unique<Condition>(
        deadline, span, "the " + timer + " timer of " + subject.title() + " runs",
        [subject, timer] {
          const std::string now = timers_now(subject);
          return Condition::Status{now.find(timer) != std::string::npos, now};
        });
    condition->ask_every = kTimerPoll;
    return condition;
  });
}

LuaWords tcp_states() {
  LuaWords states{.name = "tcp_state", .words = {}};
  for (const TcpState state :
       {TcpState::syn_sent, TcpState::syn_recv, TcpState::established, TcpState::fin_wait1,
        TcpState::fin_wait2, TcpState::time_wait, TcpState::close_wait, TcpState::last_ack,
        TcpState::closing, TcpState::listen, TcpState::closed})
    states.words.emplace_back(name(state));
  return states;
}

}  // namespace

LuaModule states_module() {
  std::vector<LuaClass> classes = expectation_classes<LuaProgram, LuaHost, LuaConnection>(
      {{"in_state",
        subject_in_state,
        "Is met when a connection of the subject is in that state or enters it.",
        {{"state", "tcp_state"}},
        {"event"}}});
  // A connection has a field of this name.
  const std::vector<LuaClass> of_timers = expectation_classes<LuaProgram, LuaHost>(
      {{"timer",
        subject_timer,
        "Is met when this timer of a connection runs in the kernel.",
        {{"timer", "tcp_timer"}}}});
  classes.insert(classes.end(), of_timers.begin(), of_timers.end());
  const std::vector<LuaClass> of_hosts = expectation_classes<LuaHost>(
      {{"has_no_connection", subject_has_no_connection,
        "Is met when the host has no connection; listening sockets do not count."},
       {"holds_no_connection_to",
        subject_holds_no_connection_to,
        "Is met when the host's programs have closed their connections to the other host. Its "
        "kernel may still send the FIN again, or wait in FIN_WAIT2.",
        {{"other", "host"}}},
       {"listens",
        subject_listens,
        "Is met when a socket on the host listens.",
        {{"port", "integer", "", kPortRange}}}});
  classes.insert(classes.end(), of_hosts.begin(), of_hosts.end());
  classes.push_back(lua_class<Subject>(
      {{"still_in_state",
        subject_still_in_state,
        "Expects that it is in that state now, with no change since the last expectation about "
        "its state.",
        {{"state", "tcp_state"}}}}));
  return {.classes = classes,
          .words = {tcp_states(), {"tcp_timer", {kTimers.begin(), kTimers.end()}}}};
}

}  // namespace tcplab::app
