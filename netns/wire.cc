#include "netns/wire.hh"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/container/small_vector.hpp>
#include <map>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

using boost::system::error_code;

// After so many frames of one port the others, timers and programs' output have their turn.
constexpr int kFramesPerTurn = 64;
constexpr int kMostWaiting = 10000;  // on a port, twice over; a host may go on sending meanwhile
constexpr std::size_t kLongestFrame = 65536 + 64;  // the largest MTU of a TAP, and its header
constexpr std::size_t kHeaderSize = 14;            // Ethernet II: destination, source, type

MacAddress destination_of(Bytes frame) {
  MacAddress mac;
  std::copy_n(frame.begin(), mac.bytes.size(), mac.bytes.begin());
  return mac;
}

/// A multicast listener report (RFC 3810 5.2). The kernel sends them for each address it has, at
/// moments of its own choosing, and offers no setting against it; they are for switches that
/// snoop, which this segment, flooding groups, is not. Hosts would not be silent for them.
bool is_listener_report(Bytes frame) {
  static constexpr std::array<std::uint8_t, 6> kAllMldv2Routers{0x33, 0x33, 0, 0, 0, 0x16};
  return std::equal(kAllMldv2Routers.begin(), kAllMldv2Routers.end(), frame.begin());
}

}  // namespace

/// One port on the wire. Shared with the waiting handler, which may run after detach().
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

struct HeldFrame {
  PortId from{};
  base::Instant sent{};
  std::vector<std::uint8_t> bytes;
};

using AttachmentPointer = std::shared_ptr<Attachment>;
using Receivers = boost::container::small_vector<AttachmentPointer, 4>;

struct Wire::Implementation {
  Implementation(boost::asio::io_context& io, WireObserver& watcher)
      : loop(io), observer(watcher), buffer(kLongestFrame) {}

  boost::asio::io_context& loop;
  WireObserver& observer;
  std::vector<AttachmentPointer> attachments;
  std::map<std::uint64_t, HeldFrame> held;
  std::vector<std::uint8_t> buffer;  // of the frame that is being taken
  bool taking = false;               // the buffer is in use
  std::uint64_t last_frame = 0;
  std::uint32_t last_port = 0;

  void discard_waiting(Port& port) const;
  void wait(const AttachmentPointer& from);
  void serve(const AttachmentPointer& from);
  int drain(Attachment& from, int limit);
  bool take(Attachment& from);
  void rule(Frame frame);
  void carry_out(FrameDecision ruling, const Frame& frame);
  void hold(const Frame& frame);
  void deliver(const Frame& frame);
  Receivers receivers_of(const Frame& frame) const;
  bool hand_over(const Frame& frame, Attachment& to);
  const Attachment* find(PortId id) const;
  bool is_attached(PortId id) const { return find(id) != nullptr; }
  void detach(PortId id);
  void detach_all();
};

void Wire::Implementation::discard_waiting(Port& port) const {
  std::vector<std::uint8_t> discarded(kLongestFrame);
  for (int i = 0; i < kMostWaiting && port.read(discarded); ++i) {
  }
}

void Wire::Implementation::wait(const AttachmentPointer& from) {
  // `this` is gone when the wire is; a detached port tells.
  from->readable.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                            [this, from](const error_code& error) {
                              if (from->port != nullptr && !error) serve(from);
                            });
}

void Wire::Implementation::serve(const AttachmentPointer& from) {
  if (drain(*from, kFramesPerTurn) == kFramesPerTurn) {
    boost::asio::post(loop, [this, from] {
      if (from->port != nullptr) serve(from);
    });
  } else if (from->port != nullptr) {
    wait(from);
  }
}

int Wire::Implementation::drain(Attachment& from, int limit) {
  int taken = 0;
  while (taken < limit && from.port != nullptr && take(from)) ++taken;
  return taken;
}

bool Wire::Implementation::take(Attachment& from) {
  if (taking) return false;  // asked by an observer: the frame that it looks at comes first
  const auto size = from.port->read(buffer);
  if (!size) return false;
  const Bytes bytes(buffer.data(), *size);
  if (*size < kHeaderSize || is_listener_report(bytes)) return true;
  struct InUse {
    bool& flag;
    ~InUse() { flag = false; }
  } const in_use{taking = true};
  rule({++last_frame, base::now(), from.id, bytes});
  return true;
}

void Wire::Implementation::rule(Frame frame) {
  const FrameDecision ruling = observer.frame_sent(frame);
  carry_out(ruling, frame);
  observer.frame_decided(frame);
}

void Wire::Implementation::carry_out(FrameDecision ruling, const Frame& frame) {
  if (!is_attached(frame.from)) {  // the observer cut its sender off
    if (ruling == FrameDecision::deliver)
      observer.frame_undelivered(frame, "its sender was cut off");
    return;
  }
  switch (ruling) {
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
  held[frame.number] = {frame.from, frame.sent, {frame.bytes.begin(), frame.bytes.end()}};
}

void Wire::Implementation::deliver(const Frame& frame) {
  const Receivers receivers = receivers_of(frame);
  bool reached = false;
  for (const AttachmentPointer& receiver : receivers) {
    // An observer, told of one delivery, may have detached the next receiver, or the sender.
    if (frame.from != PortId{} && !is_attached(frame.from)) break;
    if (receiver->port != nullptr && hand_over(frame, *receiver)) reached = true;
  }
  if (reached) return;
  const MacAddress destination = destination_of(frame.bytes);
  const std::string why = !receivers.empty()       ? "its receiver's NIC is down"
                          : destination.is_group() ? "nobody else is on the wire"
                                                   : "no port has " + destination.to_string();
  observer.frame_undelivered(frame, why);
}

Receivers Wire::Implementation::receivers_of(const Frame& frame) const {
  const MacAddress destination = destination_of(frame.bytes);
  const Attachment* from = find(frame.from);  // null for a frame that no host sent
  Receivers addressed;
  Receivers others;
  bool known = false;
  for (const AttachmentPointer& attachment : attachments) {
    if (from != nullptr && attachment->link != from->link) continue;
    const bool sender = attachment->id == frame.from;
    const bool match = attachment->mac == destination;
    known = known || match;
    if (!sender) (match ? addressed : others).push_back(attachment);
  }
  return known ? addressed : others;
}

bool Wire::Implementation::hand_over(const Frame& frame, Attachment& to) {
  observer.frame_delivering(frame, to.id);
  if (!to.port->write(frame.bytes)) return false;
  observer.frame_delivered(frame, to.id, base::now());
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
  (*found)->port = nullptr;
  (*found)->readable.release();  // cancels the wait; the descriptor is the port's
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
  wire.attachments.push_back(std::make_shared<Attachment>(wire.loop, id, port, mac, link));
  wire.wait(wire.attachments.back());
  return id;
}

void Wire::detach(PortId id) { implementation_->detach(id); }

void Wire::pump() {
  auto& wire = *implementation_;
  bool more = true;
  while (more) {  // a frame that is delivered is often answered
    more = false;
    const auto attached = wire.attachments;
    for (const AttachmentPointer& each : attached)
      if (wire.drain(*each, kFramesPerTurn) > 0) more = true;
  }
}

bool Wire::release(std::uint64_t frame_number) {
  auto held = implementation_->held.extract(frame_number);
  if (held.empty()) return false;
  const HeldFrame& frame = held.mapped();
  implementation_->deliver({frame_number, frame.sent, frame.from, frame.bytes});
  return true;
}

std::uint64_t Wire::hold_another(PortId from, base::Instant sent, Bytes frame) {
  const std::uint64_t number = ++implementation_->last_frame;
  if (implementation_->is_attached(from)) implementation_->hold({number, sent, from, frame});
  return number;
}

bool Wire::drop(std::uint64_t frame_number) {
  return implementation_->held.erase(frame_number) != 0;
}

std::uint64_t Wire::inject(Bytes frame) {
  if (frame.size() < kHeaderSize)
    throw base::UsageError("cannot put a frame of " + std::to_string(frame.size()) +
                           " bytes on the wire: an Ethernet header has 14");
  const std::uint64_t number = ++implementation_->last_frame;
  implementation_->deliver({number, base::now(), PortId{}, frame});
  return number;
}

}  // namespace tcplab::netns
