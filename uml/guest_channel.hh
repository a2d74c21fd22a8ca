// One end of the channel between the lab and the agent of a guest. The lab's end is one socket of a
// SOCK_SEQPACKET pair. UML's vector driver makes a network device of the other socket, and the
// agent has a packet socket on that device (packet(7)). A packet is an Ethernet frame. A message
// that is longer than a packet is split, and joined again. The kernels lose no packet and keep the
// order; the channel checks that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/file_descriptor.hh"
#include "uml/message.hh"

namespace tcplab::uml {

inline constexpr std::uint16_t kChannelEtherType = 0x88b5;  // IEEE 802: for local experiments
// The driver makes a buffer for each packet, and drops the packet if there is no memory for it
// (prep_skb(), arch/um/drivers/vector_kern.c). So a buffer must fit into one page: a host whose
// programs have taken all memory still has single pages in reserve, but no row of them.
inline constexpr unsigned kChannelMtu = 3600;

class GuestChannel {
public:
  explicit GuestChannel(base::FileDescriptor socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.get(); }

  /// Sends a message; waits while the way is full. Throws base::SystemError.
  void send(Kind kind, Bytes payload);
  /// Returns the next message; nothing if none is complete. Never waits. Throws base::SystemError,
  /// or base::LabError if a packet is missing.
  std::optional<Message> receive();

  /// True once the other side has closed its end.
  bool is_closed() const { return is_closed_; }

  /// Returns how many bytes of our packets the other side has not acknowledged. What it sends says
  /// what it has received.
  std::uint64_t unacknowledged() const { return sent_bytes_ - acknowledged_bytes_; }
  /// Returns how many bytes the other side does not know yet that we have received.
  std::uint64_t to_acknowledge() const { return received_bytes_ - reported_bytes_; }

private:
  void send_packet(Kind kind, bool is_last, Bytes part);
  void take_packet(Bytes packet);

  base::FileDescriptor socket_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(kChannelMtu + 64);
  Message partial_;
  bool is_complete_ = false;
  bool is_closed_ = false;
  std::uint32_t sent_ = 0;  // packets
  std::uint32_t received_ = 0;
  std::uint64_t sent_bytes_ = 0;
  std::uint64_t acknowledged_bytes_ = 0;
  std::uint64_t received_bytes_ = 0;
  std::uint64_t reported_bytes_ = 0;
};

}  // namespace tcplab::uml
