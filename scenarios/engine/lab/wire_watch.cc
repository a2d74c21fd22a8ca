#include "scenarios/engine/lab/wire_watch.hh"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.hh"
#include "scenarios/engine/lab/kernel_watch.hh"

namespace tcplab::engine {

using capture::EffectKind;
using capture::Fate;
using netns::FrameDecision;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kFloodWindow = 10ms;
constexpr int kFloodStarts = 200;  // frames in a window: 20,000 a second
constexpr int kFloodEnds = 50;
constexpr std::size_t kRememberedBytes = std::size_t{16} << 20;

const std::string kNobody;
const Effects kNoEffects;

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

void FrameMemory::keep(std::uint64_t number, netns::Bytes bytes) {
  frames_.push_back(Kept{number, {bytes.begin(), bytes.end()}});
  size_ += bytes.size();
  for (; size_ > kRememberedBytes; frames_.pop_front()) size_ -= frames_.front().bytes.size();
}

netns::Bytes FrameMemory::find(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(frames_, number, {}, &Kept::number);
  if (found == frames_.end() || found->number != number) return {};
  return found->bytes;
}

bool FloodGauge::count(base::Instant at) {
  if (at - window_ >= kFloodWindow) {
    flooded_ = flooded_ && frames_ >= kFloodEnds && at - window_ < 2 * kFloodWindow;
    window_ = at;
    frames_ = 0;
  }
  if (++frames_ >= kFloodStarts) flooded_ = true;
  return flooded_;
}

void WireWatch::plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port) {
  places_[port] = Nic{&host, capture_.interface(host.name(), nic), nic.link};
  names_[nic.mac] = host.name();
}

void WireWatch::unplugged(netns::PortId port) {
  for (PendingFrame& pending : pending_frames_.forget(port))
    if (pending.packet)
      tell_lost(std::move(*pending.packet), clock_.now(), {{.kind = EffectKind::sender_gone}});
  places_.erase(port);
  stepper_.forget_gone();
}

void WireWatch::lose_by_hand() {
  if (auto pending = stepper_.lose(); pending && pending->packet)
    tell_lost(std::move(*pending->packet), clock_.now(), pending->effects);
}

std::shared_ptr<Fault> WireWatch::add(std::shared_ptr<Fault> fault) {
  if (!fault->name().empty() && find_fault(fault->name()) != nullptr)
    throw base::UsageError("there is a fault \"" + fault->name() + "\" already; lift it first");
  faults_.push_back(std::move(fault));
  return faults_.back();
}

Fault* WireWatch::find_fault(const std::string& name) const {
  const auto found =
      std::ranges::find(faults_, name, [](const auto& each) { return each->name(); });
  return found == faults_.end() ? nullptr : found->get();
}

void WireWatch::lift(const Fault& fault) {
  pending_frames_.release(fault);
  faults_.remove_if([&](const auto& candidate) { return candidate.get() == &fault; });
}

const WireWatch::Nic* WireWatch::place(netns::PortId port) const {
  const auto found = places_.find(port);
  return found == places_.end() ? nullptr : &found->second;
}

const std::string& WireWatch::host_name(netns::PortId port) const {
  const Nic* found = place(port);
  return found == nullptr ? kNobody : found->host->name();
}

/// By the destination address; empty for a frame to all. Hosts off the wire keep their name.
std::string WireWatch::receiver_of(netns::Bytes frame) const {
  netns::MacAddress destination;
  if (frame.size() < destination.bytes.size()) return "";
  std::copy_n(frame.begin(), destination.bytes.size(), destination.bytes.begin());
  const auto known = names_.find(destination);
  return known == names_.end() ? "" : known->second;
}

void WireWatch::pass(FrameInTransit& frame_in_transit) const {
  for (const auto& fault : faults_) {
    fault->meet(frame_in_transit);
    if (frame_in_transit.is_lost()) return;
  }
}

FrameDecision WireWatch::frame_sent(netns::Frame& frame) {
  const Nic* sender = place(frame.from);
  if (sender == nullptr) return FrameDecision::lose;
  if (kernel_ != nullptr) kernel_->look();  // a retransmission is told before its frame
  const bool flooded = gauge_.count(frame.sent);
  if (on_flood) on_flood(flooded);
  listed_ = !flooded || capture::can_change_state(frame.bytes);
  const std::string to = receiver_of(frame.bytes);
  FrameInTransit frame_in_transit({sender->host->name(), to, frame.bytes, sender->link},
                                  frame.number, frame.sent);
  pass(frame_in_transit);
  const bool is_stepped = stepper_.is_on() && stepper_.is_about(frame.bytes);
  capture_.headers_only(!listed_);
  capture_.sent({sender->interface, frame.number, frame.sent, frame.bytes,
                 fate_of(frame_in_transit), frame_in_transit.effects()});
  if (listed_) {
    report_flood();
    look_at_sender(frame);
    sender->host->numbers.sent(capture::decode(frame.bytes));
    memory_.keep(frame.number, frame.bytes);
  } else {
    count(frame, to);
  }
  followers_ = frame_in_transit.followers();
  return frame_in_transit.effects().empty() && !is_stepped
             ? FrameDecision::deliver
             : set_out(frame, frame_in_transit, is_stepped);
}

/// A frame that a fault has touched, or that is to be stopped on its way.
FrameDecision WireWatch::set_out(netns::Frame& frame, FrameInTransit& frame_in_transit,
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
  if (frame_in_transit.is_lost()) {
    if (pending.packet) tell_lost(*pending.packet, frame.sent, frame_in_transit.effects());
    return FrameDecision::lose;
  }
  tell_departure(pending);
  if (frame_in_transit.is_altered()) {
    altered_ = frame_in_transit.take_bytes();
    frame.bytes = altered_;
  }
  const FrameDecision ruling =
      pending.goes_at_once() && !is_stepped ? FrameDecision::deliver : FrameDecision::hold;
  departures_.push_back(frame.number);
  pending_frames_.add(frame.number, pending);
  set_out_copies(frame, frame_in_transit, pending);
  return ruling;
}

void WireWatch::set_out_copies(const netns::Frame& frame, const FrameInTransit& frame_in_transit,
                               const PendingFrame& original) {
  for (const Copies& copies : frame_in_transit.copies()) {
    for (int i = 1; i <= copies.number; ++i) {
      PendingFrame copy = original;
      copy.effects = {copies.effect};
      copy.effects.front().frame = frame.number;
      copy.delay += i * copies.apart;
      const std::uint64_t number = pending_frames_.hold_another(frame);
      if (copy.packet) {
        copy.packet->frame = number;
        memory_.keep(number, frame_in_transit.frame().bytes);
      }
      tell_departure(copy);
      pending_frames_.add(number, std::move(copy));
      departures_.push_back(number);
    }
  }
}

void WireWatch::frame_decided(const netns::Frame& frame) {
  for (const std::uint64_t number : std::exchange(departures_, {})) pending_frames_.depart(number);
  for (const Follower& follower : std::exchange(followers_, {}))
    pending_frames_.depart_after(follower, frame.number);
}

void WireWatch::tell_departure(const PendingFrame& pending) {
  if (!pending.packet || pending.goes_at_once()) return;
  capture::Packet packet = *pending.packet;
  packet.fate = pending.holders.empty() ? Fate::delayed : Fate::held;
  packet.effects = pending.effects;
  timeline_.append(pending.sent, std::move(packet));
}

void WireWatch::tell_lost(capture::Packet packet, base::Instant at, Effects effects) {
  packet.fate = Fate::lost;
  packet.effects = std::move(effects);
  timeline_.append(at, std::move(packet));
}

void WireWatch::frame_delivering(const netns::Frame&, netns::PortId) {
  if (kernel_ != nullptr) kernel_->delivery_begins();
}

void WireWatch::frame_delivered(const netns::Frame& frame, netns::PortId to,
                                base::Instant delivered) {
  const Nic* receiver = place(to);
  if (receiver == nullptr) return;
  const PendingFrame* pending = pending_frames_.find(frame.number);
  const bool is_news = is_forged(frame);
  if (is_news) memory_.keep(frame.number, frame.bytes);
  const bool listed = is_news || (pending == nullptr ? listed_ : pending->packet.has_value());
  capture_.headers_only(!listed);
  capture_.received({receiver->interface, frame.number, delivered, frame.bytes, Fate::delivered,
                     pending == nullptr ? kNoEffects : pending->effects});
  if (!listed) return tell_of_kernel(frame, *receiver->host, false);
  capture::Packet packet = pending == nullptr ? packet_of(frame, "") : *pending->packet;
  packet.to = receiver->host->name();
  packet.delivered = delivered;
  if (pending != nullptr) packet.effects = pending->effects;
  timeline_.append(frame.sent, std::move(packet));
  tell_of_kernel(frame, *receiver->host, true);
  const Cause cause{capture::StateCause::frame, frame.number};
  if (pending != nullptr && pending->is_altered) return receiver->host->look_at_all(cause);
  receiver->host->numbers.delivered(capture::decode(frame.bytes));
  look_at_receiver(frame, *receiver->host, delivered);
}

void WireWatch::frame_undelivered(const netns::Frame& frame, netns::Undelivered why) {
  const PendingFrame* pending = pending_frames_.find(frame.number);
  const bool listed = pending == nullptr ? listed_ : pending->packet.has_value();
  if (!listed) return;
  const std::string to = receiver_of(frame.bytes);
  const capture::Effect effect{.kind = effect_of(why, !to.empty())};
  if (pending == nullptr) return tell_lost(packet_of(frame, to), frame.sent, {effect});
  Effects effects = pending->effects;
  effects.push_back(effect);
  tell_lost(*pending->packet, clock_.now(), std::move(effects));
}

bool WireWatch::is_forged(const netns::Frame& frame) const {
  return forged_from_ && frame.from == netns::PortId{};
}

void WireWatch::tell_of_kernel(const netns::Frame& frame, const LabHost& receiver, bool listed) {
  if (kernel_ != nullptr)
    kernel_->delivery_ended(receiver.name(), listed ? frame.number : 0, frame.bytes);
}

void WireWatch::look_at_sender(const netns::Frame& frame) {
  const auto connection = capture::flow_of(frame.bytes);
  if (!connection) return;
  place(frame.from)
      ->host->look_at({connection->source, connection->destination}, frame.sent,
                      Cause{capture::StateCause::frame, frame.number});
}

void WireWatch::look_at_receiver(const netns::Frame& frame, LabHost& receiver, base::Instant at) {
  const Cause cause{capture::StateCause::frame, frame.number};
  if (const auto connection = capture::flow_of(frame.bytes))
    return receiver.look_at({connection->destination, connection->source}, at, cause);
  receiver.look_at_all(cause);  // an ICMP error may have ended any connection
}

capture::Packet WireWatch::packet_of(const netns::Frame& frame, const std::string& to) {
  const capture::DecodedFrame decoded = capture::decode(frame.bytes);
  const bool forged = is_forged(frame);
  capture::Packet packet =
      capture::describe(decoded, forged ? sequences_.recall(decoded) : sequences_.note(decoded));
  packet.frame = frame.number;
  packet.from = forged ? *forged_from_ : host_name(frame.from);
  if (forged) packet.fate = Fate::forged;
  if (forged) packet.effects = {{.kind = EffectKind::forged}};
  packet.to = to;
  packet.sent = frame.sent;
  return packet;
}

void WireWatch::count(const netns::Frame& frame, const std::string& to) {
  Counted& counted = flood_[{host_name(frame.from), to}];
  if (counted.frames++ == 0) counted.first = frame.sent;
  counted.bytes += frame.bytes.size();
  counted.last = frame.sent;
}

void WireWatch::report_flood() {
  for (const auto& [direction, counted] : std::exchange(flood_, {})) {
    timeline_.append(counted.first, capture::Flood{.from = direction.first,
                                                   .to = direction.second,
                                                   .frames = counted.frames,
                                                   .bytes = counted.bytes,
                                                   .span = counted.last - counted.first});
  }
}

}  // namespace tcplab::engine
