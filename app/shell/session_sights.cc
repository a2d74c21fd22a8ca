// Collects the observations of a session that can become expectations.
#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "app/shell/session_record.hh"
#include "base/error.hh"
#include "reports/text/call_text.hh"

namespace tcplab::app {

using capture::Event;

namespace {

constexpr std::size_t kMostOfAStream = 12;  // per turn; a bulk transfer has thousands of calls
constexpr std::size_t kLongestPrint = 60;
constexpr int kPollTrouble = 0x0008 | 0x0010;  // POLLERR, POLLHUP

std::string verb_of(const capture::Call& call) {
  const std::string head = fmt::format("call(\"{}\")", call.call);
  if (call.call == "getsockopt")
    return call.error == 0 ? ""
                           : fmt::format("{}:gives \"{}\"", head, base::errno_name(call.error));
  if (call.result < 0) return fmt::format("{}:fails \"{}\"", head, base::errno_name(call.error));
  if (call.call == "poll") {
    if ((call.revents & kPollTrouble) == 0) return "";
    return fmt::format("{}:reports \"{}\"", head, capture::poll_events(call.revents));
  }
  if (call.call == "accept") return "";  // the number of a descriptor is arbitrary
  if (reports::is_boring(call)) return "";
  return fmt::format("{}:returns({})", head, call.result);
}

/// Returns the first line, cut to kLongestPrint; empty if a script would have to escape it.
std::string quotable(const std::string& text) {
  std::string line = text.substr(0, text.find_first_of("\r\n"));
  const bool plain = std::ranges::all_of(
      line, [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  return plain ? line.substr(0, kLongestPrint) : "";
}

std::string connection_text(const std::string& host, const capture::Endpoint& local,
                            const capture::Endpoint& remote) {
  return host + " " + local.to_string() + " " + remote.to_string();
}

}  // namespace

/// Assigns a connection to its program. connect(2) returns after the state has changed, so earlier
/// sights of the connection are assigned too.
void SessionRecord::give_to(const std::string& connection, const std::string& subject) {
  owners_[connection] = subject;
  for (Sight& sight : turns_.back().sights) {
    if (sight.connection != connection) continue;
    sight.subject = subject;
    sight.stream = "state " + subject;
  }
}

void SessionRecord::turn_begins(capture::Instant at) {
  turns_.push_back({.at = at, .result = {}, .sights = {}, .powerless = {}});
}

void SessionRecord::event(const Event& event) {
  if (turns_.empty()) return;
  std::visit([&](const auto& body) { see(event, body); }, event.body);
}

/// Keeps the first sights of a stream, and the last one. Their order stays the same in a rerun.
void SessionRecord::add(Sight sight) {
  std::vector<Sight>& sights = turns_.back().sights;
  const auto same = [&](const Sight& other) { return other.stream == sight.stream; };
  if (!sight.stream.empty() &&
      static_cast<std::size_t>(std::ranges::count_if(sights, same)) >= kMostOfAStream) {
    const auto newest = std::find_if(sights.rbegin(), sights.rend(), same);
    sights.erase(std::next(newest).base());
  }
  sights.push_back(std::move(sight));
}

void SessionRecord::see(const Event& event, const capture::Call& call) {
  if (call.phase != capture::CallPhase::leave) return;
  const std::string subject = call.host + "/" + call.program;
  if (call.local && call.remote)
    give_to(connection_text(call.host, *call.local, *call.remote), subject);
  const bool is_terminal = call.fd >= 0 && call.fd <= 2;
  const std::string verb = is_terminal ? "" : verb_of(call);
  if (verb.empty()) return;
  add({.event = event.number,
       .stream = "call " + subject,
       .subject = subject,
       .verb = verb,
       .after = event.at - turns_.back().at});
}

/// Keeps only the last state of each connection in a turn.
void SessionRecord::see(const Event& event, const capture::State& state) {
  if (state.to == capture::TcpState::listen) {
    add({.event = event.number,
         .stream = "",
         .subject = state.host,
         .verb = fmt::format("listens({})", state.local.port),
         .after = event.at - turns_.back().at});
    return;
  }
  if (state.remote.port == 0) return;
  if (state.cause == capture::StateCause::power) return;
  const std::string connection = connection_text(state.host, state.local, state.remote);
  const auto owner = owners_.find(connection);
  const std::string subject = owner == owners_.end() ? state.host : owner->second;
  std::erase_if(turns_.back().sights,
                [&](const Sight& sight) { return sight.connection == connection; });
  add({.event = event.number,
       .stream = "state " + subject,
       .subject = subject,
       .verb = fmt::format("in_state \"{}\"", capture::name(state.to)),
       .after = event.at - turns_.back().at,
       .connection = connection});
}

void SessionRecord::see(const Event& event, const capture::Program& program) {
  std::string verb;
  if (program.change == capture::ProgramChange::exited)
    verb = fmt::format("exits({})", program.code);
  if (program.change == capture::ProgramChange::killed)
    verb = fmt::format("killed_by \"{}\"", base::signal_name(program.code));
  if (program.change == capture::ProgramChange::wrote)
    if (const std::string line = quotable(program.text); !line.empty())
      verb = fmt::format("prints \"{}\"", line);
  if (verb.empty() || turns_.back().powerless.contains(program.host)) return;
  const std::string subject = program.host + "/" + program.program;
  add({.event = event.number,
       .stream = (program.stream.empty() ? "program" : program.stream) + " " + subject,
       .subject = subject,
       .verb = verb,
       .after = event.at - turns_.back().at});
}

/// Keeps resets. Other frames show in the states that they cause.
void SessionRecord::see(const Event& event, const capture::Packet& packet) {
  const bool counts = packet.fate == capture::Fate::delivered || packet.fate == capture::Fate::lost;
  if (!counts || packet.protocol != "TCP" || packet.to.empty() ||
      packet.flags.find('R') == std::string::npos)
    return;
  const std::string verb =
      fmt::format("expect_packet(\"{} > {}\", \"RST\")", packet.from, packet.to);
  const auto& sights = turns_.back().sights;
  if (std::ranges::any_of(sights, [&](const Sight& other) { return other.verb == verb; })) return;
  add({.event = event.number,
       .stream = "packet",
       .subject = "",
       .verb = verb,
       .after = event.at - turns_.back().at});
}

void SessionRecord::see(const Event& /*event*/, const capture::Action& action) {
  using capture::ActionVerb;
  if (forgets_connections(action.verb)) turns_.back().powerless.insert(action.host);
  const bool is_cable = action.verb == ActionVerb::unplug || action.verb == ActionVerb::plug;
  const bool is_power = power_change(action.verb) != capture::PowerChange::none;
  if (is_cable || is_power) turns_.back().on_a_host = true;
}

}  // namespace tcplab::app
