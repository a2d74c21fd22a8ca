#include "lab/frames/wire_watch.hh"

#include <utility>

namespace tcplab::lab {

using capture::EffectKind;
using capture::Fate;
using netns::FrameDecision;

namespace {

/// Returns true for a frame that no host sent.
bool is_forged(const netns::Frame& frame) { return frame.from == netns::PortId{}; }

Fate fate_of(const FrameInTransit& frame_in_transit) {
  if (frame_in_transit.is_lost()) return Fate::lost;
  return frame_in_transit.holders().empty() ? Fate::delivered : Fate::held;
}

EffectKind effect_of(netns::Undelivered why) {
  switch (why) {
    case netns::Undelivered::sender_gone:
      return EffectKind::sender_gone;
    case netns::Undelivered::receiver_down:
      return EffectKind::receiver_down;
    case netns::Undelivered::nobody_else:
      return EffectKind::nobody_else;
    case netns::Undelivered::receiver_gone:
      return EffectKind::receiver_gone;
    case netns::Undelivered::unknown_address:
      return EffectKind::unknown_address;
  }
  return EffectKind::unknown_address;
}

/// Returns the bytes as the receiver's NIC gets them: with the checksum, which the sender's NIC has
/// computed. `room` keeps them if they differ.
netns::Bytes bytes_on_cable(const netns::Frame& frame, std::vector<std::uint8_t>& room) {
  if (!frame.offload.needs_checksum) return frame.bytes;
  room = netns::with_checksum(frame.bytes, frame.offload);
  return room;
}

}  // namespace

WireWatch::WireWatch(Timeline& timeline, CaptureFile& capture, Clock& clock)
    : capture_(capture),
      clock_(clock),
      faults_(clock),
      stepper_(clock, faults_.pending()),
      flood_(timeline),
      record_(timeline) {
  faults_.on_departure = [this](const PendingFrame& pending) { record_.departed(pending); };
  stepper_.on_set_aside = [this](PendingFrame pending) {
    if (pending.packet)
      record_.lost(std::move(*pending.packet), clock_.now(), std::move(pending.effects));
  };
  faults_.on_copy = [this](std::uint64_t number, netns::Bytes sent) {
    record_.memory().keep(number, sent, facts_of_copy(in_hand_.back().facts));
  };
}

void WireWatch::plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port) {
  nics_.add(port, {&host, capture_.interface(host.name(), nic), nic.link, nic.name}, nic.mac);
}

void WireWatch::unplugged(netns::PortId port) {
  for (PendingFrame& pending : faults_.pending().forget(port))
    if (pending.packet)
      record_.lost(std::move(*pending.packet), clock_.now(), {{.kind = EffectKind::sender_gone}});
  nics_.remove(port);
  stepper_.forget_gone();
}

void WireWatch::lose_by_hand() {
  if (auto pending = stepper_.lose(); pending && pending->packet)
    record_.lost(std::move(*pending->packet), clock_.now(), std::move(pending->effects));
}

/// A reference to it stays valid while the wire handles the frame.
ObservedFrame& WireWatch::take_in_hand(const netns::Frame& frame, const std::string& from) {
  return in_hand_.emplace_back(ObservedFrame{.number = frame.number,
                                             .from = from,
                                             .to = nics_.receiver_of(frame.bytes),
                                             .decoded = capture::decode(frame.bytes),
                                             .is_forged = is_forged(frame)});
}

const ObservedFrame* WireWatch::in_hand(const netns::Frame& frame) const {
  const bool is_newest = !in_hand_.empty() && in_hand_.back().number == frame.number;
  return is_newest ? &in_hand_.back() : nullptr;
}

FrameDecision WireWatch::frame_sent(netns::Frame& frame) {
  if (handlers_ != nullptr) handlers_->between_frames();
  if (is_forged(frame)) return lab_sent(frame);
  const PluggedNic* sender = nics_.find(frame.from);
  if (sender == nullptr || sender->host->network().add_asked_neighbour(sender->name, frame.bytes))
    return FrameDecision::lose;
  return host_sent(frame, *sender);
}

FrameDecision WireWatch::host_sent(netns::Frame& frame, const PluggedNic& sender) {
  const LabHost& host = *sender.host;
  if (stalls_ != nullptr) stalls_->frame(base::now(), host.name());
  inspection_.frame_taken();
  const bool flooded = flood_.is_flooded(frame);
  if (on_flood) on_flood(flooded);
  ObservedFrame& observed = take_in_hand(frame, host.name());
  observed.is_listed = !flooded || can_change_state(observed.decoded);
  if (observed.is_listed || !faults_.is_empty() || handlers_ != nullptr)
    record_.find_facts(observed, host.numbers);
  const FrameView view{observed.from, observed.to, frame.bytes, sender.link, &observed.facts};
  if (handlers_ != nullptr && handlers_->awaits(view)) {
    const std::uint32_t interface = sender.interface;
    handlers_->frame_sending(view, FrameRecord::describe(observed, frame));
    if (nics_.find(frame.from) == nullptr) return lose_with_sender(observed, frame, interface);
  }
  FrameInTransit frame_in_transit(view, frame.number, frame.sent, frame.offload);
  faults_.act_on(frame_in_transit);
  capture_.headers_only(!observed.is_listed);
  capture_.sent({sender.interface, frame.number, frame.sent, frame.bytes, fate_of(frame_in_transit),
                 frame_in_transit.effects()});
  note_sent(observed, frame, sender);
  faults_.follow(frame_in_transit);
  const bool is_stepped = stepper_.is_on() && stepper_.is_about(frame.bytes);
  if (frame_in_transit.effects().empty() && !is_stepped) return FrameDecision::deliver;
  return send(observed, frame, frame_in_transit, is_stepped);
}

/// No NIC sends it: there is no kernel to ask, and no interface that has it as it was sent. It is
/// recorded in a flood too, and the stepper lets it pass.
FrameDecision WireWatch::lab_sent(netns::Frame& frame) {
  const bool meets_faults = forgery_.meets_faults;
  ObservedFrame& observed = take_in_hand(frame, forgery_.from);
  record_.find_facts_of_forged(observed);
  const FrameView view{observed.from, observed.to, frame.bytes, nics_.link_of(frame.bytes),
                       &observed.facts};
  if (handlers_ != nullptr && handlers_->awaits(view))
    handlers_->frame_sending(view, FrameRecord::describe(observed, frame));
  FrameInTransit frame_in_transit(view, frame.number, frame.sent);
  record_.keep(observed);
  if (!meets_faults) return FrameDecision::deliver;
  frame_in_transit.note({.kind = EffectKind::forged});
  faults_.act_on(frame_in_transit);
  faults_.follow(frame_in_transit);
  if (frame_in_transit.effects().size() == 1) return FrameDecision::deliver;
  return send(observed, frame, frame_in_transit, false);
}

/// The script has taken the sender off the wire at this very frame.
FrameDecision WireWatch::lose_with_sender(const ObservedFrame& observed, const netns::Frame& frame,
                                          std::uint32_t interface) {
  const Effects effects = {{.kind = EffectKind::sender_gone}};
  capture_.headers_only(!observed.is_listed);
  capture_.sent({interface, frame.number, frame.sent, frame.bytes, Fate::lost, effects});
  if (!observed.is_listed) return FrameDecision::lose;
  record_.keep(observed);
  record_.lost(FrameRecord::describe(observed, frame), clock_.now(), effects);
  return FrameDecision::lose;
}

void WireWatch::frame_decided(const netns::Frame& frame) {
  faults_.decided(frame);
  if (in_hand(frame) != nullptr) in_hand_.pop_back();
  if (handlers_ != nullptr) handlers_->between_frames();
}

void WireWatch::note_sent(const ObservedFrame& observed, const netns::Frame& frame,
                          const PluggedNic& sender) {
  if (!observed.is_listed) {
    flood_.count(observed.from, observed.to, frame);
    return sender.host->numbers.sent(observed.decoded);  // there is no time to ask the kernels
  }
  flood_.report();
  FrameInspection::sent(observed.decoded, frame, *sender.host);
  record_.keep(observed);
}

/// Sends a frame that a fault has touched, or that the stepper is to stop.
FrameDecision WireWatch::send(const ObservedFrame& observed, netns::Frame& frame,
                              FrameInTransit& frame_in_transit, bool is_stepped) {
  PendingFrame pending{.from = frame.from,
                       .sent = frame.sent,
                       .effects = frame_in_transit.effects(),
                       .packet = {},
                       .is_altered = frame_in_transit.is_altered(),
                       .is_stepped = is_stepped,
                       .is_probe = observed.facts.traits.is_probe(),
                       .holders = frame_in_transit.holders(),
                       .delay = frame_in_transit.delayed()};
  if (observed.is_listed) pending.packet = FrameRecord::describe(observed, frame);
  if (!frame_in_transit.is_lost()) return faults_.send(frame, frame_in_transit, std::move(pending));
  if (pending.packet)
    record_.lost(std::move(*pending.packet), frame.sent, std::move(pending.effects));
  return FrameDecision::lose;
}

void WireWatch::frame_delivering(const netns::Frame& frame, netns::PortId) {
  const PendingFrame* pending = faults_.pending().find(frame.number);
  if (stalls_ != nullptr && pending != nullptr && pending->delay.count() > 0)
    stalls_->frame(clock_.now(), nics_.host_of(frame.from));
  inspection_.delivery_begins();
}

void WireWatch::frame_delivered(const netns::Frame& frame, netns::PortId to,
                                base::Instant delivered) {
  const PluggedNic* receiver = nics_.find(to);
  if (receiver == nullptr) return;
  receiver->host->frame_delivered(frame.number, frame.bytes, delivered);
  const PendingFrame* pending = faults_.pending().find(frame.number);
  const ObservedFrame* observed = in_hand(frame);
  const bool listed = is_listed(frame, pending);
  capture_.headers_only(!listed);
  // Nobody can check the checksum of a frame of which only headers are captured.
  std::vector<std::uint8_t> room;
  capture_.received({receiver->interface, frame.number, delivered,
                     listed ? bytes_on_cable(frame, room) : frame.bytes, Fate::delivered,
                     pending == nullptr ? Effects{} : pending->effects});
  if (listed) {
    capture::Packet packet =
        pending != nullptr ? *pending->packet : FrameRecord::describe(*observed, frame);
    if (pending != nullptr) packet.effects = pending->effects;
    record_.delivered(std::move(packet), receiver->host->name(), delivered);
  }
  inspection_.delivery_ended(frame, *receiver->host, listed);
  if (pending != nullptr && pending->is_altered) {
    if (listed) FrameInspection::delivered_altered(frame, *receiver->host);
    return;
  }
  // A frame that was held is not in hand any more.
  const capture::DecodedFrame decoded =
      observed != nullptr ? observed->decoded : capture::decode(frame.bytes);
  if (listed)
    FrameInspection::delivered(decoded, frame, *receiver->host, delivered);
  else
    receiver->host->numbers.delivered(decoded);
}

void WireWatch::frame_undelivered(const netns::Frame& frame, netns::Undelivered why) {
  const PendingFrame* pending = faults_.pending().find(frame.number);
  if (!is_listed(frame, pending)) return;
  const capture::Effect effect{.kind = effect_of(why)};
  if (pending == nullptr)
    return record_.lost(FrameRecord::describe(*in_hand(frame), frame), frame.sent, {effect});
  Effects effects = pending->effects;
  effects.push_back(effect);
  record_.lost(*pending->packet, clock_.now(), std::move(effects));
}

/// A frame that no fault has touched is in hand until it is delivered.
bool WireWatch::is_listed(const netns::Frame& frame, const PendingFrame* pending) const {
  if (pending != nullptr) return pending->packet.has_value();
  const ObservedFrame* observed = in_hand(frame);
  return observed != nullptr && observed->is_listed;
}

}  // namespace tcplab::lab
