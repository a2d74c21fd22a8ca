#include "reports/comments/frame_comments.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "reports/text/effect_text.hh"

namespace tcplab::reports {

using capture::ActionVerb;
using capture::Call;
using capture::Fate;
using capture::Packet;
using capture::ProgramChange;

namespace {

constexpr std::size_t kMostFrames = 20'000;
constexpr std::size_t kMostFlows = 4096;
constexpr std::size_t kMostWriters = 3;  // named for one segment
// A program that a frame woke returns from its call within this time; otherwise something else did.
constexpr std::chrono::milliseconds kSoon(100);

bool has(const Packet& packet, char flag) { return packet.flags.find(flag) != std::string::npos; }

std::string owner(const std::string& host, const std::string& program) {
  return host + "'s " + program;
}

bool is_silencing(ActionVerb verb) {
  return forgets_connections(verb) || verb == ActionVerb::unplug;
}

bool is_voicing(ActionVerb verb) {
  return power_change(verb) == capture::PowerChange::on || verb == ActionVerb::plug;
}

std::string end_of(const capture::Program& program) {
  if (program.change == ProgramChange::exited) return fmt::format("exit {}", program.code);
  return "killed by " + base::signal_name(program.code);
}

}  // namespace

void FrameComments::settle(capture::Instant before) {
  while (!waiting_.empty() && (waiting_.oldest() < before || waiting_.is_due())) {
    const capture::Event event = waiting_.take();
    if (const auto* call = std::get_if<Call>(&event.body))
      take(*call, event.at);
    else if (const auto* packet = std::get_if<Packet>(&event.body))
      take(*packet);
    else if (const auto* state = std::get_if<capture::State>(&event.body))
      take(*state);
    else if (const auto* program = std::get_if<capture::Program>(&event.body))
      take(*program);
    else if (const auto* action = std::get_if<capture::Action>(&event.body))
      take(*action);
    else if (const auto* up = std::get_if<capture::HostUp>(&event.body))
      take(*up);
  }
}

std::vector<std::string> FrameComments::of_sender(std::uint64_t frame) const {
  std::vector<std::string> lines;
  const auto found = notes_.find(frame);
  if (found == notes_.end()) return lines;
  for (const Line& line : found->second.sent) lines.push_back(text_of(line));
  return lines;
}

std::vector<std::string> FrameComments::of_receiver(std::uint64_t frame,
                                                    const std::string& host) const {
  std::vector<std::string> lines;
  const auto found = notes_.find(frame);
  if (found == notes_.end()) return lines;
  for (const auto& [receiver, line] : found->second.received)
    if (receiver == host) lines.push_back(text_of(line));
  return lines;
}

std::string FrameComments::text_of(const Line& line) const {
  if (!line.call) return line.text;
  const Call& call = line.call->call;
  const CallView view = line.call->has_returned ? CallView::whole : CallView::waits;
  return fmt::format("{} {}: {}", line.text, owner(call.host, call.program),
                     call_text(call, view, names_, Style{}).text());
}

FrameComments::Notes& FrameComments::notes_of(std::uint64_t frame) {
  Notes& notes = notes_[frame];
  // The oldest frame's comment was written long ago.
  if (notes_.size() > kMostFrames && notes_.begin()->first != frame) notes_.erase(notes_.begin());
  return notes;
}

SegmentFlow& FrameComments::flow_of(const End& end) {
  const auto [flow, is_new] = flows_.try_emplace(end);
  if (!is_new) return flow->second;
  oldest_.push_back(end);
  if (oldest_.size() > kMostFlows) {
    flows_.erase(oldest_.front());
    oldest_.pop_front();
  }
  return flow->second;
}

void FrameComments::take(const capture::HostUp& up) {
  names_.learn(up);
  silenced_.erase(up.host);
  auto& addresses = addresses_[up.host];
  for (const capture::Interface& interface : up.interfaces)
    for (const std::string& text : interface.addresses)
      if (const auto address = base::IpAddress::parse(text.substr(0, text.find('/'))))
        addresses.push_back(*address);
}

bool FrameComments::is_address_of(const std::string& host, const base::IpAddress& address) const {
  const auto found = addresses_.find(host);
  return found != addresses_.end() && std::ranges::count(found->second, address) > 0;
}

void FrameComments::take(const capture::Action& action) {
  const std::string text = fmt::format("{}, line {}", word(action.verb), action.line);
  if (forgets_connections(action.verb)) last_verb_[action.host] = text;
  if (is_silencing(action.verb)) silenced_[action.host] = text;
  if (is_voicing(action.verb)) silenced_.erase(action.host);
}

void FrameComments::take(const capture::Program& program) {
  if (program.change != ProgramChange::exited && program.change != ProgramChange::killed) return;
  calls_.ended(program);
  const auto found = unexplained_.find({program.host, program.program});
  if (found == unexplained_.end()) return;
  if (knows(found->second)) {
    std::vector<Line>& lines = notes_of(found->second).sent;
    lines.insert(lines.begin(),
                 {fmt::format("caused by the end of {}: {}", owner(program.host, program.program),
                              end_of(program))});
  }
  unexplained_.erase(found);
}

void FrameComments::take(const Call& call, capture::Instant at) {
  const capture::TrackedCallPointer entry = calls_.note(call, at);
  const bool is_invented = call.injected && call.result == -1;
  if (call.phase == capture::CallPhase::leave && !is_invented) wake(call, entry, at);
}

/// A call that waited was woken by the first frame since then that has anything for a program.
void FrameComments::wake(const Call& call, const capture::TrackedCallPointer& entry,
                         capture::Instant at) {
  const bool is_accept = call.call.starts_with("accept") && call.local && call.remote;
  const bool is_news = call.call == "connect" || call.call == "read" ||
                       call.call.starts_with("recv") || (call.call == "poll" && call.revents != 0);
  capture::FlowKey key;
  if (is_accept)
    key = {*call.local, *call.remote};
  else if (const auto* own = calls_.flow_of(call); own != nullptr && is_news)
    key = *own;
  else
    return;
  const auto flow = flows_.find({call.host, key});
  if (flow == flows_.end()) return;
  const bool is_reader = !is_accept && call.call != "connect";
  if (is_reader && flow->second.had_more_than(calls_.read_before(call), call.entered)) return;
  for (const SegmentFlow::Arrival& arrival : flow->second.arrivals()) {
    // accept(2) waits for the end of the handshake, which may be a pure ACK.
    if (arrival.at < std::max(call.entered, at - kSoon) || arrival.at > at ||
        !(arrival.wakes || is_accept))
      continue;
    if (is_accept && !arrival.has_ack) continue;
    if (knows(arrival.frame))
      notes_of(arrival.frame).received.push_back({call.host, {"wakes", entry}});
    return;
  }
}

void FrameComments::take(const capture::State& state) {
  if (state.cause == capture::StateCause::power) {
    SegmentFlow& flow = flow_of({state.host, {state.local, state.remote}});
    flow = {};
    flow.forgotten = last_verb_.contains(state.host) ? last_verb_[state.host] : "its power";
    calls_.lost_power(state.host);
  }
  if (state.cause != capture::StateCause::frame) return;
  Notes& notes = notes_of(state.frame);
  Line line{fmt::format("{}: {} -> {}", state.host, name(state.from), name(state.to))};
  const bool is_of_another = notes.key != capture::FlowKey{} &&
                             notes.key != capture::FlowKey{state.local, state.remote} &&
                             notes.key != capture::FlowKey{state.remote, state.local};
  if (is_of_another) line.text += " (" + names_.name(state.local) + ")";
  // The frame's own event comes after its sender's states.
  if (notes.sender.empty() || notes.sender == state.host)
    notes.sent.push_back(std::move(line));
  else
    notes.received.push_back({state.host, std::move(line)});
}

void FrameComments::take(const Packet& packet) {
  Notes& notes = notes_of(packet.frame);
  const bool is_news = notes.sender.empty();
  notes.sender = packet.from.empty() ? "nobody" : packet.from;
  notes.key = {packet.source, packet.destination};
  const bool is_of_host = packet.fate != Fate::forged && !packet.from.empty();
  capture::SegmentTraits traits;
  if (packet.protocol == "TCP") traits = tracker_.note(packet).traits;
  if (is_news && is_of_host && !is_copy(packet)) note_sending(packet, notes, traits);
  note_fate(packet, notes);
  if (packet.protocol == "TCP" && packet.delivered && !is_altered(packet))
    flow_of({packet.to, {packet.destination, packet.source}}).gets(packet);
}

void FrameComments::note_fate(const Packet& packet, Notes& notes) {
  if (packet.effects.empty()) return;
  if (packet.delivered) {
    notes.received.insert(notes.received.begin(), {packet.to, {effects_text(packet)}});
    if (packet.fate == Fate::forged || notes.effects == packet.effects) return;
  }
  notes.effects = packet.effects;
  std::string text = fate_text(packet.fate, packet.effects, packet.to);
  const auto silenced = silenced_.find(packet.to);
  if (has_effect(packet, capture::EffectKind::receiver_gone) && silenced != silenced_.end())
    text += " (" + silenced->second + ")";
  notes.sent.push_back({text});
}

void FrameComments::note_sending(const Packet& packet, Notes& notes,
                                 capture::SegmentTraits traits) {
  if (packet.protocol != "TCP") return;
  if (!is_address_of(packet.from, packet.source.address)) {
    notes.sent.push_back({"forwarded by " + packet.from});
    return;
  }
  const RoleOfSegment role = flow_of({packet.from, notes.key}).sends(packet, traits);
  std::vector<Line> states = std::exchange(notes.sent, {});
  note_cause(packet, notes, role);
  notes.sent.insert(notes.sent.end(), states.begin(), states.end());
}

void FrameComments::note_cause(const Packet& packet, Notes& notes, const RoleOfSegment& role) {
  if (has(packet, 'R')) return note_reset(packet, notes, role);
  switch (role.role) {
    case SegmentRole::first:
      return note_first(packet, notes);
    case SegmentRole::retransmission:
      notes.sent.push_back(
          {fmt::format("{}'s kernel retransmits{}", packet.from,
                       role.like == 0 ? "" : fmt::format(" packet id {}", role.like))});
      return;
    case SegmentRole::answer:
      notes.sent.push_back(
          {fmt::format("{}'s kernel answers packet id {}", packet.from, role.like)});
      return;
    case SegmentRole::acknowledgment:
      notes.sent.push_back(
          {fmt::format("{}'s kernel acknowledges packet id {}", packet.from, role.like)});
      return;
    case SegmentRole::keepalive:
      notes.sent.push_back({packet.from + "'s kernel sends a keepalive probe"});
      return;
    case SegmentRole::window_probe:
      notes.sent.push_back({packet.from + "'s kernel probes the zero window"});
      return;
    case SegmentRole::window_update:
      if (const auto call = calls_.under_way(packet.from, notes.key);
          call && (call->call.call == "read" || call->call.call.starts_with("recv")))
        notes.sent.push_back({"caused by", call});
      return;
    case SegmentRole::other:
      return;
  }
}

void FrameComments::note_first(const Packet& packet, Notes& notes) {
  if (has(packet, 'S')) {
    if (const auto call = calls_.connect_of(packet.from, notes.key))
      notes.sent.push_back({"caused by", call});
    return;
  }
  const auto offset = flow_of({packet.from, notes.key}).offset_of(packet);
  if (packet.length > 0 && offset) {
    const auto open = calls_.under_way(packet.from, notes.key);
    const auto writers = calls_.writers_of(packet.from, notes.key, *offset, packet.length);
    for (std::size_t i = 0; i < std::min(writers.size(), kMostWriters); ++i)
      notes.sent.push_back(
          {writers[i] == open ? "caused by" : "carries what was written by", writers[i]});
    if (writers.size() > kMostWriters)
      notes.sent.push_back({fmt::format("and by {} more", writers.size() - kMostWriters)});
  }
  if (has(packet, 'F')) note_end(packet, notes);
}

/// Explains a FIN, or a RST that answers no segment.
void FrameComments::note_end(const Packet& packet, Notes& notes) {
  const auto call = calls_.closer_of(packet.from, notes.key);
  if (call && (has(packet, 'F') || call->call.call == "close")) {
    notes.sent.push_back({"caused by", call});
    return;
  }
  const std::string program = calls_.owner_of(packet.from, notes.key);
  if (!program.empty()) unexplained_[{packet.from, program}] = packet.frame;
}

void FrameComments::note_reset(const Packet& packet, Notes& notes, const RoleOfSegment& role) {
  const SegmentFlow& flow = flow_of({packet.from, notes.key});
  if (role.role != SegmentRole::answer) return note_end(packet, notes);
  notes.sent.push_back({fmt::format("{}'s kernel answers packet id {}", packet.from, role.like)});
  if (!flow.forgotten.empty())
    notes.sent.push_back(
        {fmt::format("{} has lost this connection: {}", packet.from, flow.forgotten)});
}

}  // namespace tcplab::reports
