#include "scenarios/engine/lab/wire_watch.hh"

#include <utility>

namespace tcplab::engine {

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
    record_.memory().keep(number, sent, facts_of_copy(facts_));
  };
}

void WireWatch::plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port) {
  nics_.add(port, {&host, capture_.interface(host.name(), nic), nic.link}, nic.mac);
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

FrameDecision WireWatch::frame_sent(netns::Frame& frame) {
  if (moments_ != nullptr) moments_->between_frames();
  if (is_forged(frame)) return forged_frame_sent(frame);
  const PluggedNic* sender = nics_.find(frame.from);
  if (sender == nullptr) return FrameDecision::lose;
  if (stalls_ != nullptr) stalls_->frame(base::now(), sender->host->name());
  inspection_.frame_taken();
  const bool flooded = flood_.is_flooded(frame);
  if (on_flood) on_flood(flooded);
  listed_ = !flooded || capture::can_change_state(frame.bytes);
  const std::string to = nics_.receiver_of(frame.bytes);
  facts_ = {};
  if (listed_ || !faults_.is_empty() || moments_ != nullptr)
    facts_ = record_.facts(frame.bytes, sender->host->numbers);
  const FrameView view{sender->host->name(), to, frame.bytes, sender->link, &facts_};
  if (moments_ != nullptr && moments_->awaits(view)) {
    const std::uint32_t interface = sender->interface;
    const capture::Packet packet = record_.sent(frame, view.from, to);
    act_before(view, packet);
    sender = nics_.find(frame.from);
    if (sender == nullptr) return lose_with_sender(frame, packet, interface);
  }
  FrameInTransit frame_in_transit({sender->host->name(), to, frame.bytes, sender->link, &facts_},
                                  frame.number, frame.sent, frame.offload);
  faults_.act_on(frame_in_transit);
  capture_.headers_only(!listed_);
  capture_.sent({sender->interface, frame.number, frame.sent, frame.bytes,
                 fate_of(frame_in_transit), frame_in_transit.effects()});
  note_sent(frame, *sender, to);
  faults_.follow(frame_in_transit);
  const bool is_stepped = stepper_.is_on() && stepper_.is_about(frame.bytes);
  if (frame_in_transit.effects().empty() && !is_stepped) return FrameDecision::deliver;
  return send(frame, frame_in_transit, is_stepped);
}

/// No NIC sends it: there is no kernel to ask, and no interface that has it as it was sent. It is
/// recorded in a flood too, and the stepper lets it pass.
FrameDecision WireWatch::forged_frame_sent(netns::Frame& frame) {
  listed_ = true;
  const std::string to = nics_.receiver_of(frame.bytes);
  facts_ = record_.facts_of_forged(frame.bytes);
  const FrameView view{forgery_.from, to, frame.bytes, nics_.link_of(frame.bytes), &facts_};
  if (moments_ != nullptr && moments_->awaits(view))
    act_before(view, record_.forged(frame, forgery_.from, to));
  FrameInTransit frame_in_transit(view, frame.number, frame.sent);
  record_.memory().keep(frame.number, frame.bytes, facts_);
  if (!forgery_.meets_faults) return FrameDecision::deliver;
  frame_in_transit.note({.kind = EffectKind::forged});
  faults_.act_on(frame_in_transit);
  faults_.follow(frame_in_transit);
  if (frame_in_transit.effects().size() == 1) return FrameDecision::deliver;
  return send(frame, frame_in_transit, false);
}

/// The script may forge frames meanwhile, so what is known of this one is kept.
void WireWatch::act_before(const FrameView& view, const capture::Packet& packet) {
  const bool listed = listed_;
  const PacketFacts facts = facts_;
  const Forgery forgery = forgery_;
  moments_->frame_sending(view, packet);
  listed_ = listed;
  facts_ = facts;
  forgery_ = forgery;
}

/// The script has taken the sender off the wire at this very frame.
FrameDecision WireWatch::lose_with_sender(const netns::Frame& frame, const capture::Packet& packet,
                                          std::uint32_t interface) {
  const Effects effects = {{.kind = EffectKind::sender_gone}};
  capture_.headers_only(!listed_);
  capture_.sent({interface, frame.number, frame.sent, frame.bytes, Fate::lost, effects});
  if (!listed_) return FrameDecision::lose;
  record_.memory().keep(frame.number, frame.bytes, facts_);
  record_.lost(packet, clock_.now(), effects);
  return FrameDecision::lose;
}

void WireWatch::frame_decided(const netns::Frame& frame) {
  faults_.decided(frame);
  if (moments_ != nullptr) moments_->between_frames();
}

void WireWatch::note_sent(const netns::Frame& frame, const PluggedNic& sender,
                          const std::string& to) {
  if (!listed_) {
    flood_.count(sender.host->name(), to, frame);
    return FrameInspection::follow_sent(frame, *sender.host);
  }
  flood_.report();
  inspection_.sent(frame, *sender.host);
  record_.memory().keep(frame.number, frame.bytes, facts_);
}

/// Sends a frame that a fault has touched, or that the stepper is to stop.
FrameDecision WireWatch::send(netns::Frame& frame, FrameInTransit& frame_in_transit,
                              bool is_stepped) {
  PendingFrame pending{.from = frame.from,
                       .sent = frame.sent,
                       .effects = frame_in_transit.effects(),
                       .packet = {},
                       .is_altered = frame_in_transit.is_altered(),
                       .is_stepped = is_stepped,
                       .is_probe = facts_.traits.is_probe(),
                       .holders = frame_in_transit.holders(),
                       .delay = frame_in_transit.delayed()};
  if (listed_) pending.packet = packet_of(frame, frame_in_transit.frame().to);
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
  const PendingFrame* pending = faults_.pending().find(frame.number);
  const bool listed = is_listed(pending);
  capture_.headers_only(!listed);
  // Nobody can check the checksum of a frame of which only headers are captured.
  std::vector<std::uint8_t> room;
  capture_.received({receiver->interface, frame.number, delivered,
                     listed ? bytes_on_cable(frame, room) : frame.bytes, Fate::delivered,
                     pending == nullptr ? Effects{} : pending->effects});
  const bool is_altered = pending != nullptr && pending->is_altered;
  if (!listed) {
    inspection_.delivery_ended(frame, *receiver->host, false);
    if (!is_altered) FrameInspection::follow_delivered(frame, *receiver->host);
    return;
  }
  capture::Packet packet = pending == nullptr ? packet_of(frame, "") : *pending->packet;
  if (pending != nullptr) packet.effects = pending->effects;
  record_.delivered(std::move(packet), receiver->host->name(), delivered);
  inspection_.delivery_ended(frame, *receiver->host, true);
  FrameInspection::delivered(frame, *receiver->host, delivered, is_altered);
}

void WireWatch::frame_undelivered(const netns::Frame& frame, netns::Undelivered why) {
  const PendingFrame* pending = faults_.pending().find(frame.number);
  if (!is_listed(pending)) return;
  const std::string to = nics_.receiver_of(frame.bytes);
  const capture::Effect effect{.kind = effect_of(why)};
  if (pending == nullptr) return record_.lost(packet_of(frame, to), frame.sent, {effect});
  Effects effects = pending->effects;
  effects.push_back(effect);
  record_.lost(*pending->packet, clock_.now(), std::move(effects));
}

bool WireWatch::is_listed(const PendingFrame* pending) const {
  return pending == nullptr ? listed_ : pending->packet.has_value();
}

capture::Packet WireWatch::packet_of(const netns::Frame& frame, const std::string& to) {
  if (is_forged(frame)) return record_.forged(frame, forgery_.from, to);
  return record_.sent(frame, nics_.host_of(frame.from), to);
}

}  // namespace tcplab::engine
