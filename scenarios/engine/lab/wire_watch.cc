#include "scenarios/engine/lab/wire_watch.hh"

#include <utility>

namespace tcplab::engine {

using capture::EffectKind;
using capture::Fate;
using netns::FrameDecision;

namespace {

Fate fate_of(const FrameInTransit& frame_in_transit) {
  if (frame_in_transit.is_lost()) return Fate::lost;
  return frame_in_transit.holders().empty() ? Fate::delivered : Fate::held;
}

EffectKind effect_of(netns::Undelivered why, bool has_known_receiver) {
  switch (why) {
    case netns::Undelivered::sender_gone:
      return EffectKind::sender_gone;
    case netns::Undelivered::receiver_down:
      return EffectKind::receiver_down;
    case netns::Undelivered::nobody_else:
      return EffectKind::nobody_else;
    case netns::Undelivered::unknown_address:
      return has_known_receiver ? EffectKind::receiver_gone : EffectKind::unknown_address;
  }
  return EffectKind::unknown_address;
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
  faults_.on_copy = [this](std::uint64_t number, netns::Bytes sent) {
    record_.memory().keep(number, sent);
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
  const PluggedNic* sender = nics_.find(frame.from);
  if (sender == nullptr) return FrameDecision::lose;
  if (stalls_ != nullptr) stalls_->frame(frame.sent, sender->host->name());
  inspection_.frame_taken();
  const bool flooded = flood_.is_flooded(frame.sent);
  if (on_flood) on_flood(flooded);
  listed_ = !flooded || capture::can_change_state(frame.bytes);
  const std::string to = nics_.receiver_of(frame.bytes);
  FrameInTransit frame_in_transit({sender->host->name(), to, frame.bytes, sender->link},
                                  frame.number, frame.sent);
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

void WireWatch::note_sent(const netns::Frame& frame, const PluggedNic& sender,
                          const std::string& to) {
  if (!listed_) return flood_.count(sender.host->name(), to, frame);
  flood_.report();
  inspection_.sent(frame, *sender.host);
  record_.memory().keep(frame.number, frame.bytes);
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
  const bool is_news = is_forged(frame);
  if (is_news) record_.memory().keep(frame.number, frame.bytes);
  const bool listed = is_news || is_listed(pending);
  capture_.headers_only(!listed);
  capture_.received({receiver->interface, frame.number, delivered, frame.bytes, Fate::delivered,
                     pending == nullptr ? Effects{} : pending->effects});
  if (!listed) return inspection_.delivery_ended(frame, *receiver->host, false);
  capture::Packet packet = pending == nullptr ? packet_of(frame, "") : *pending->packet;
  if (pending != nullptr) packet.effects = pending->effects;
  record_.delivered(std::move(packet), receiver->host->name(), delivered);
  inspection_.delivery_ended(frame, *receiver->host, true);
  FrameInspection::delivered(frame, *receiver->host, delivered,
                             pending != nullptr && pending->is_altered);
}

void WireWatch::frame_undelivered(const netns::Frame& frame, netns::Undelivered why) {
  const PendingFrame* pending = faults_.pending().find(frame.number);
  if (!is_listed(pending)) return;
  const std::string to = nics_.receiver_of(frame.bytes);
  const capture::Effect effect{.kind = effect_of(why, !to.empty())};
  if (pending == nullptr) return record_.lost(packet_of(frame, to), frame.sent, {effect});
  Effects effects = pending->effects;
  effects.push_back(effect);
  record_.lost(*pending->packet, clock_.now(), std::move(effects));
}

bool WireWatch::is_forged(const netns::Frame& frame) const {
  return forged_from_ && frame.from == netns::PortId{};
}

bool WireWatch::is_listed(const PendingFrame* pending) const {
  return pending == nullptr ? listed_ : pending->packet.has_value();
}

capture::Packet WireWatch::packet_of(const netns::Frame& frame, const std::string& to) {
  if (is_forged(frame)) return record_.forged(frame, *forged_from_, to);
  return record_.sent(frame, nics_.host_of(frame.from), to);
}

}  // namespace tcplab::engine
