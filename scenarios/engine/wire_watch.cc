#include "scenarios/engine/wire_watch.hh"

#include <algorithm>
#include <chrono>

namespace tcplab::engine {

using capture::Fate;
using netns::Ruling;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kFloodWindow = 10ms;
constexpr int kFloodStarts = 200;  // frames in a window: 20,000 a second
constexpr int kFloodEnds = 50;
constexpr std::size_t kRememberedBytes = std::size_t{16} << 20;

const std::string kNobody;
const std::string kForged = "forged by the script";

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
  places_[port] = Place{&host, capture_.interface(host.name(), nic)};
  names_[nic.mac] = host.name();
}

Fault& WireWatch::add(std::unique_ptr<Fault> fault) {
  faults_.push_back(std::move(fault));
  return *faults_.back();
}

void WireWatch::lift(const Fault& fault) {
  faults_.remove_if([&](const auto& candidate) { return candidate.get() == &fault; });
}

std::vector<std::uint64_t> WireWatch::take_held(const Fault& fault) {
  return std::exchange(held_[&fault], {});
}

const WireWatch::Place* WireWatch::place(netns::PortId port) const {
  const auto found = places_.find(port);
  return found == places_.end() ? nullptr : &found->second;
}

const std::string& WireWatch::host_name(netns::PortId port) const {
  const Place* found = place(port);
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

const Fault* WireWatch::claimed_by(const FrameView& view, Ruling& ruling) {
  for (const auto& fault : faults_) {
    ruling = fault->rule(view);
    if (ruling != Ruling::deliver) return fault.get();
  }
  return nullptr;
}

Ruling WireWatch::frame_sent(const netns::Frame& frame) {
  const Place* sender = place(frame.from);
  if (sender == nullptr) return Ruling::lose;
  const bool flooded = gauge_.count(frame.sent);
  if (on_flood) on_flood(flooded);
  listed_ = !flooded || capture::can_change_state(frame.bytes);
  capture_.headers_only(!listed_);
  const std::string to = receiver_of(frame.bytes);
  Ruling ruling = Ruling::deliver;
  const Fault* fault = claimed_by({host_name(frame.from), to, frame.bytes}, ruling);
  const std::string why = fault == nullptr ? "" : fault->describe();
  if (ruling == Ruling::hold) held_[fault].push_back(frame.number);
  capture_.sent(sender->interface, frame.sent, frame.bytes,
                ruling == Ruling::lose   ? "lost: " + why
                : ruling == Ruling::hold ? "held: " + why
                                         : "");
  if (!listed_) {
    count(frame, to);
    return ruling;
  }
  report_flood();
  look_at_sender(frame);
  sender->host->numbers.sent(capture::decode(frame.bytes));
  memory_.keep(frame.number, frame.bytes);
  if (ruling != Ruling::deliver) {
    capture::Packet packet = packet_of(frame, to);
    packet.fate = ruling == Ruling::lose ? Fate::lost : Fate::held;
    packet.why = why;
    timeline_.append(frame.sent, std::move(packet));
  }
  return ruling;
}

void WireWatch::frame_delivered(const netns::Frame& frame, netns::PortId to,
                                base::Instant delivered) {
  const Place* receiver = place(to);
  if (receiver == nullptr) return;
  const bool is_news = is_forged(frame);
  if (is_news) memory_.keep(frame.number, frame.bytes);
  capture_.received(receiver->interface, delivered, frame.bytes, is_news ? kForged : "");
  if (!listed_ && !is_news) return;
  capture::Packet packet = packet_of(frame, receiver->host->name());
  packet.delivered = delivered;
  timeline_.append(frame.sent, std::move(packet));
  receiver->host->numbers.delivered(capture::decode(frame.bytes));
  look_at_receiver(frame, *receiver->host, delivered);
}

void WireWatch::frame_undelivered(const netns::Frame& frame, const std::string& why) {
  if (!listed_) return;
  const std::string to = receiver_of(frame.bytes);
  capture::Packet packet = packet_of(frame, to);
  packet.fate = Fate::lost;
  packet.why = to.empty() ? why : to + " is not on the wire";
  timeline_.append(frame.sent, std::move(packet));
}

bool WireWatch::is_forged(const netns::Frame& frame) const {
  return forged_from_ && frame.from == netns::PortId{};
}

void WireWatch::look_at_sender(const netns::Frame& frame) {
  const auto connection = capture::connection_of(frame.bytes);
  if (!connection) return;
  place(frame.from)
      ->host->look_at({connection->source, connection->destination}, frame.sent,
                      Cause{"frame", frame.number});
}

void WireWatch::look_at_receiver(const netns::Frame& frame, LabHost& receiver, base::Instant at) {
  const Cause cause{"frame", frame.number};
  if (const auto connection = capture::connection_of(frame.bytes))
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
  if (forged) packet.why = kForged;
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
