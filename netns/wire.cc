#include "netns/wire.hh"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/container/small_vector.hpp>
#include <map>
#include <set>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

using boost::system::error_code;

// After this many frames of one port, other ports, timers and programs' output get a turn.
constexpr int kFramesPerTurn = 64;
// The frames to discard when a port is attached: twice the longest queue. A limit is needed
// because the host may go on sending meanwhile.
constexpr int kMaxDiscarded = 10000;
// With more ports, to ask each for the time of its next frame would take longer than the frame.
constexpr std::size_t kMostCompared = 16;
constexpr std::size_t kLongestFrame = 65536 + 64;  // the largest MTU of a TAP, and its header
constexpr std::size_t kHeaderSize = 14;            // Ethernet II: destination, source, type

MacAddress destination_of(Bytes frame) {
  MacAddress mac;
  std::copy_n(frame.begin(), mac.bytes.size(), mac.bytes.begin());
  return mac;
}

/// Returns true for a multicast listener report (RFC 3810 section 5.2). The kernel sends one for
/// each of its addresses, at times of its own, and no setting prevents it. Only snooping switches
/// need them; this wire floods multicast frames. Without them a host without programs is silent.
bool is_listener_report(Bytes frame) {
  static constexpr std::array<std::uint8_t, 6> kAllMldv2Routers{0x33, 0x33, 0, 0, 0, 0x16};
  return std::equal(kAllMldv2Routers.begin(), kAllMldv2Routers.end(), frame.begin());
}

}  // namespace

/// One port on the wire. Shared with the event loop's handler, which may run after detach().
struct Attachment {
  Attachment(boost::asio::io_context& loop, PortId number, Port& at, MacAddress address,
             LinkId segment)
      : id(number), mac(address), link(segment), port(&at), readable(loop, at.descriptor()) {}

  PortId id;
  MacAddress mac;
  LinkId link;
  Port* port;  // null once detached
  boost::asio::posix::stream_descriptor readable;
};

struct StoredFrame {
  PortId from{};
  base::Instant sent{};
  std::vector<std::uint8_t> bytes;
  Offload offload{};
};

using AttachmentPointer = std::shared_ptr<Attachment>;
using Receivers = boost::container::small_vector<AttachmentPointer, 4>;

struct Wire::Implementation {
  Implementation(boost::asio::io_context& io, WireObserver& watcher)
      : loop(io), observer(watcher), buffer(kLongestFrame), discarded(kLongestFrame) {}

  boost::asio::io_context& loop;
  WireObserver& observer;
  std::vector<AttachmentPointer> attachments;
  std::map<std::uint64_t, StoredFrame> held;
  std::set<std::pair<MacAddress, LinkId>> absent;  // the addresses of detached ports
  std::vector<std::uint8_t> buffer;                // the frame that is being processed
  std::vector<std::uint8_t> discarded;             // the frame that is being discarded
  bool is_busy = false;                            // the buffer is in use
  std::uint64_t last_frame = 0;
  std::uint32_t last_port = 0;

  void discard_waiting(Port& port);
  void wait(const AttachmentPointer& from);
  void serve(const AttachmentPointer& from);
  int drain(const AttachmentPointer& from, int limit);
  AttachmentPointer first_to_send(const AttachmentPointer& from) const;
  bool process_next(const Attachment& from);
  void process(Frame frame);
  void carry_out(FrameDecision decision, const Frame& frame);
  void hold(const Frame& frame);
  void deliver(const Frame& frame);
  Receivers receivers_of(const Frame& frame) const;
  bool is_for_absent(const Frame& frame) const;
  Undelivered why_undelivered(const Frame& frame) const;
  bool deliver_to(const Frame& frame, Attachment& to);
  const Attachment* find(PortId id) const;
  /// Returns false for a sender that is detached.
  bool can_leave(PortId from) const { return from == PortId{} || find(from) != nullptr; }
  void detach(PortId id);
  void detach_all();
};

void Wire::Implementation::discard_waiting(Port& port) {
  for (int i = 0; i < kMaxDiscarded && port.read(discarded); ++i) {
  }
}

void Wire::Implementation::wait(const AttachmentPointer& from) {
  // The wire, and so `this`, may be gone when the handler runs; then the port is detached.
  from->readable.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                            [this, from](const error_code& error) {
                              if (from->port != nullptr && !error) serve(from);
                            });
}

void Wire::Implementation::serve(const AttachmentPointer& from) {
  if (drain(from, kFramesPerTurn) == kFramesPerTurn) {
    boost::asio::post(loop, [this, from] {
      if (from->port != nullptr) serve(from);
    });
  } else if (from->port != nullptr) {
    wait(from);
  }
}

/// Processes the frames of a port, and those of other ports that were sent before them. Returns how
/// many.
int Wire::Implementation::drain(const AttachmentPointer& from, int limit) {
  if (is_busy) return 0;  // called by an observer: the current frame comes first
  int processed = 0;
  while (processed < limit && from->port != nullptr && process_next(*first_to_send(from)))
    ++processed;
  return processed;
}

/// Returns the port whose next frame was sent first, or `from` if it has none or does not know.
AttachmentPointer Wire::Implementation::first_to_send(const AttachmentPointer& from) const {
  if (attachments.size() > kMostCompared) return from;
  auto first = from;
  auto sent = from->port->next_sent();
  if (!sent) return from;
  for (const AttachmentPointer& each : attachments) {
    if (each == from) continue;
    const auto other = each->port->next_sent();
    if (!other || *other >= *sent) continue;
    first = each;
    sent = other;
  }
  return first;
}

bool Wire::Implementation::process_next(const Attachment& from) {
  const auto received = from.port->read(buffer);
  if (!received) return false;
  const Bytes bytes(buffer.data(), received->size);
  if (received->size < kHeaderSize || is_listener_report(bytes)) return true;
  struct InUse {
    bool& flag;
    ~InUse() { flag = false; }
  } const in_use{is_busy = true};
  process({++last_frame, received->sent.value_or(base::now()), from.id, bytes, received->offload});
  return true;
}

void Wire::Implementation::process(Frame frame) {
  const FrameDecision decision = observer.frame_sent(frame);
  carry_out(decision, frame);
  observer.frame_decided(frame);
}

void Wire::Implementation::carry_out(FrameDecision decision, const Frame& frame) {
  if (!can_leave(frame.from)) {  // the observer detached the sender
    if (decision == FrameDecision::deliver)
      observer.frame_undelivered(frame, Undelivered::sender_gone);
    return;
  }
  switch (decision) {
    case FrameDecision::deliver:
      deliver(frame);
      break;
    case FrameDecision::lose:
      break;
    case FrameDecision::hold:
      hold(frame);
      break;
  }
}

void Wire::Implementation::hold(const Frame& frame) {
  held[frame.number] = {
      frame.from, frame.sent, {frame.bytes.begin(), frame.bytes.end()}, frame.offload};
}

void Wire::Implementation::deliver(const Frame& frame) {
  const Receivers receivers = receivers_of(frame);
  bool reached = false;
  for (const AttachmentPointer& receiver : receivers) {
    // At an earlier delivery the observer may have detached this receiver, or the sender.
    if (!can_leave(frame.from)) break;
    if (receiver->port != nullptr && deliver_to(frame, *receiver)) reached = true;
  }
  if (reached) return;
  observer.frame_undelivered(
      frame, receivers.empty() ? why_undelivered(frame) : Undelivered::receiver_down);
}

Undelivered Wire::Implementation::why_undelivered(const Frame& frame) const {
  if (destination_of(frame.bytes).is_group()) return Undelivered::nobody_else;
  return is_for_absent(frame) ? Undelivered::receiver_gone : Undelivered::unknown_address;
}

/// Returns true if the port with the frame's destination address is detached. An injected frame
/// has no link, and its receiver may be on any.
bool Wire::Implementation::is_for_absent(const Frame& frame) const {
  const MacAddress destination = destination_of(frame.bytes);
  if (const Attachment* from = find(frame.from)) return absent.contains({destination, from->link});
  const auto found = absent.lower_bound({destination, LinkId{}});
  return found != absent.end() && found->first == destination;
}

Receivers Wire::Implementation::receivers_of(const Frame& frame) const {
  const MacAddress destination = destination_of(frame.bytes);
  const Attachment* from = find(frame.from);  // null if no host sent the frame
  const auto on_link = [from](const AttachmentPointer& each) {
    return from == nullptr || each->link == from->link;
  };
  Receivers receivers;
  bool known = false;
  for (const AttachmentPointer& each : attachments) {
    if (each->mac != destination || !on_link(each)) continue;
    known = true;
    if (each->id != frame.from) receivers.push_back(each);
  }
  if (known || is_for_absent(frame)) return receivers;
  for (const AttachmentPointer& each : attachments)
    if (each->id != frame.from && on_link(each)) receivers.push_back(each);
  return receivers;
}

bool Wire::Implementation::deliver_to(const Frame& frame, Attachment& to) {
  observer.frame_delivering(frame, to.id);
  // Before each call that the frame makes return: the program may run while write() does.
  const base::Instant before = base::now();
  if (!to.port->write(frame.bytes, frame.offload)) return false;
  observer.frame_delivered(frame, to.id, to.port->delivered().value_or(before));
  return true;
}

const Attachment* Wire::Implementation::find(PortId id) const {
  const auto found =
      std::ranges::find_if(attachments, [id](const auto& each) { return each->id == id; });
  return found == attachments.end() ? nullptr : found->get();
}

void Wire::Implementation::detach(PortId id) {
  const auto found =
      std::ranges::find_if(attachments, [id](const auto& each) { return each->id == id; });
  if (found == attachments.end()) return;
  absent.emplace((*found)->mac, (*found)->link);
  (*found)->port = nullptr;
  (*found)->readable.release();  // cancels the wait; the port owns the descriptor
  attachments.erase(found);
  std::erase_if(held, [id](const auto& each) { return each.second.from == id; });
}

void Wire::Implementation::detach_all() {
  while (!attachments.empty()) detach(attachments.back()->id);
}

Wire::Wire(boost::asio::io_context& loop, WireObserver& observer)
    : implementation_(std::make_unique<Implementation>(loop, observer)) {}

Wire::~Wire() { implementation_->detach_all(); }

PortId Wire::attach(Port& port, MacAddress mac, LinkId link) {
  auto& wire = *implementation_;
  wire.discard_waiting(port);
  const PortId id{++wire.last_port};
  wire.absent.erase({mac, link});
  wire.attachments.push_back(std::make_shared<Attachment>(wire.loop, id, port, mac, link));
  wire.wait(wire.attachments.back());
  return id;
}

void Wire::detach(PortId id) { implementation_->detach(id); }

void Wire::pump() {
  auto& wire = *implementation_;
  bool more = true;
  while (more) {  // the receiver of a frame often answers
    more = false;
    const auto attached = wire.attachments;
    for (const AttachmentPointer& each : attached)
      if (each->port != nullptr && wire.drain(each, kFramesPerTurn) > 0) more = true;
  }
}

bool Wire::release(std::uint64_t frame_number) {
  auto held = implementation_->held.extract(frame_number);
  if (held.empty()) return false;
  const StoredFrame& frame = held.mapped();
  implementation_->deliver({frame_number, frame.sent, frame.from, frame.bytes, frame.offload});
  return true;
}

std::uint64_t Wire::hold_another(const Frame& like) {
  Frame another = like;
  another.number = ++implementation_->last_frame;
  if (implementation_->can_leave(like.from)) implementation_->hold(another);
  return another.number;
}

bool Wire::drop(std::uint64_t frame_number) {
  return implementation_->held.erase(frame_number) != 0;
}

std::uint64_t Wire::inject(Bytes frame) {
  if (frame.size() < kHeaderSize)
    throw base::UsageError("cannot inject a frame of " + std::to_string(frame.size()) +
                           " bytes: an Ethernet header has 14");
  const std::uint64_t number = ++implementation_->last_frame;
  implementation_->process({number, base::now(), PortId{}, frame, {}});
  return number;
}

}  // namespace tcplab::netns
