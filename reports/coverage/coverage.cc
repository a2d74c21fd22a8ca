#include "reports/coverage/coverage.hh"

#include <algorithm>
#include <chrono>

namespace tcplab::reports {

using capture::State;

namespace {

// A socket-destroy notification and the RST that belongs to it come at slightly different times.
constexpr capture::nanoseconds kTogether = std::chrono::milliseconds(100);

const Scenarios kNone;

}  // namespace

void RunCoverage::event(const capture::Event& event) {
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) scenario_ = run->scenario;
  if (const auto* up = std::get_if<capture::HostUp>(&event.body); up != nullptr && up->is_peer)
    peers_.insert(up->host);
  if (const auto* change = std::get_if<State>(&event.body);
      change != nullptr && !peers_.contains(change->host))
    take(event, *change);
  if (const auto* packet = std::get_if<capture::Packet>(&event.body)) take(event, *packet);
  const auto* call = std::get_if<capture::Call>(&event.body);
  if (call == nullptr) return;
  if (call->call == "close" && call->phase == capture::CallPhase::leave)
    closes_.emplace_back(call->host, event.at);
  if (const auto answer = answer_of(*call)) answers_.insert(*answer);
}

void RunCoverage::take(const capture::Event& event, const State& change) {
  note_listener(change);
  const bool has_listener = listeners_.contains({change.host, change.local.port});
  changes_.push_back({event.at, change, has_listener});
  changes_.back().state.socket.reset();
}

void RunCoverage::take(const capture::Event& event, const capture::Packet& packet) {
  const bool is_tcp = packet.protocol == "TCP";
  const bool is_rst = is_tcp && packet.flags.find('R') != std::string::npos;
  frames_[packet.frame] = {packet.from, is_tcp, is_rst};
  if (is_rst) {
    const auto answered = newest_segment_.find({packet.destination, packet.source});
    Reset reset{event.at, packet.source, packet.destination, std::nullopt};
    if (answered != newest_segment_.end()) reset.answers = answered->second;
    resets_.push_back(reset);
  }
  if (is_tcp) newest_segment_[{packet.source, packet.destination}] = event.at;
}

void RunCoverage::note_listener(const State& change) {
  const bool is_listener = change.remote.port == 0;
  if (change.to == TcpState::listen) listeners_.insert({change.host, change.local.port});
  if (is_listener && change.to == TcpState::closed)
    listeners_.erase({change.host, change.local.port});
}

void RunCoverage::finish() {
  for (const Change& change : changes_) place(change);
  changes_.clear();
  frames_.clear();
  resets_.clear();
}

const RunCoverage::Reset* RunCoverage::reset_near(const Change& change) const {
  const State& state = change.state;
  const auto is_about_it = [&](const Reset& reset) {
    const bool is_sent = reset.source == state.local && reset.destination == state.remote;
    const bool is_received = reset.source == state.remote && reset.destination == state.local;
    const auto distance = reset.at > change.at ? reset.at - change.at : change.at - reset.at;
    // A RST that answers a segment after the end comes from a kernel without that connection.
    const bool is_late = is_sent && reset.answers && *reset.answers > change.at;
    return (is_sent || is_received) && distance <= kTogether && !is_late;
  };
  const auto found = std::ranges::find_if(resets_, is_about_it);
  return found == resets_.end() ? nullptr : &*found;
}

/// Returns whether close(2) aborted the connection. After both FINs, an abort (SO_LINGER, RFC 9293
/// section 3.10.5) sends no RST, so only the call distinguishes it from a timeout.
bool RunCoverage::is_aborted_silently(const Change& change) const {
  const TcpState from = change.state.from;
  if (from != TcpState::closing && from != TcpState::last_ack) return false;
  return std::ranges::any_of(closes_, [&](const auto& close) {
    const auto& [host, at] = close;
    const auto distance = at > change.at ? at - change.at : change.at - at;
    return host == change.state.host && distance <= kTogether;
  });
}

Trigger RunCoverage::trigger_of(const Change& change) const {
  const State& state = change.state;
  if (state.cause == capture::StateCause::power) return Trigger::power;
  const auto frame = frames_.find(state.frame);
  if (state.cause == capture::StateCause::frame && frame != frames_.end()) {
    const bool is_sent = frame->second.from == state.host;
    if (!frame->second.is_tcp) return is_sent ? Trigger::sent : Trigger::received_icmp;
    if (frame->second.is_rst) return is_sent ? Trigger::sent_rst : Trigger::received_rst;
    return is_sent ? Trigger::sent : Trigger::received;
  }
  if (state.to != TcpState::closed) return Trigger::alone;
  const Reset* reset = reset_near(change);
  if (reset == nullptr) return is_aborted_silently(change) ? Trigger::sent_rst : Trigger::alone;
  return reset->source == state.local ? Trigger::sent_rst : Trigger::received_rst;
}

void RunCoverage::place(const Change& change) {
  State state = change.state;
  const Trigger trigger = trigger_of(change);
  // Linux removes the request socket, and the listener stays. In RFC 9293 that is SYN_RECV to
  // LISTEN.
  const bool is_refused = trigger == Trigger::received_rst && change.has_listener;
  if (state.from == TcpState::syn_recv && state.to == TcpState::closed && is_refused)
    state.to = TcpState::listen;
  if (judge(state) == StateChangeKind::finding) findings_.push_back(describe_finding(state));
  if (const Edge* edge = find_edge(state.from, state.to, trigger))
    edges_.insert(edge);
  else
    jumps_.insert({state.from, state.to});
}

void Coverage::add(const RunCoverage& run) {
  ++runs_;
  for (const Edge* edge : run.edges()) edges_[edge].insert(run.scenario());
  for (const auto& jump : run.jumps()) jumps_[jump].insert(run.scenario());
  for (const CallOutcome& answer : run.answers()) answers_[answer].insert(run.scenario());
  for (const std::string& what : run.findings()) findings_.push_back({run.scenario(), what});
}

const Scenarios& Coverage::seen(const Edge& edge) const {
  const auto found = edges_.find(&edge);
  return found == edges_.end() ? kNone : found->second;
}

const Scenarios& Coverage::seen(const CallOutcome& answer) const {
  const auto found = answers_.find(answer);
  return found == answers_.end() ? kNone : found->second;
}

}  // namespace tcplab::reports
