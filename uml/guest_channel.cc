#include "uml/guest_channel.hh"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hh"

namespace tcplab::uml {

namespace {

/// The header of each packet.
struct PacketHeader {
  std::array<std::uint8_t, 6> destination{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  std::array<std::uint8_t, 6> source{2, 0, 0, 0, 0, 1};
  std::uint16_t type = htons(kChannelEtherType);
  Kind kind{};
  std::uint8_t is_last = 1;    // of its message
  std::uint32_t number = 0;    // of the packet, from 1
  std::uint64_t received = 0;  // bytes of the other side's packets, until now
};

constexpr std::size_t kMostInPacket = kChannelMtu - sizeof(PacketHeader);
constexpr int kFullWait = 1;  // ms: a packet socket does not say when a full device has room

bool is_full(int error) { return error == EAGAIN || error == ENOBUFS; }

}  // namespace

void GuestChannel::send(Kind kind, Bytes payload) {
  do {
    const std::size_t size = std::min(payload.size(), kMostInPacket);
    const bool is_last = size == payload.size();
    send_packet(kind, is_last, payload.first(size));
    payload = payload.subspan(size);
  } while (!payload.empty());
}

void GuestChannel::send_packet(Kind kind, bool is_last, Bytes part) {
  PacketHeader header;
  header.kind = kind;
  header.is_last = is_last ? 1 : 0;
  header.number = ++sent_;
  header.received = reported_bytes_ = received_bytes_;
  std::array<iovec, 2> parts{iovec{&header, sizeof header},
                             iovec{const_cast<std::uint8_t*>(part.data()), part.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  while (::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) == -1) {
    if (errno == EINTR) continue;
    if (!is_full(errno)) throw base::SystemError("send a message between lab and guest", errno);
    pollfd room{socket_.get(), POLLOUT, 0};
    ::poll(&room, 1, kFullWait);
  }
  sent_bytes_ += sizeof header + part.size();
}

void GuestChannel::take_packet(Bytes packet) {
  PacketHeader header;
  if (packet.size() < sizeof header) return;
  std::memcpy(&header, packet.data(), sizeof header);
  if (header.type != htons(kChannelEtherType)) return;  // the device's kernel says hello
  if (header.number != ++received_) throw base::LabError("a message between lab and guest is lost");
  received_bytes_ += packet.size();
  acknowledged_bytes_ = header.received;
  const Bytes part = packet.subspan(sizeof header);
  partial_.kind = header.kind;
  partial_.payload.insert(partial_.payload.end(), part.begin(), part.end());
  is_complete_ = header.is_last != 0;
}

std::optional<Message> GuestChannel::receive() {
  while (!is_complete_) {
    const ssize_t size = ::recv(socket_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1 && errno == EAGAIN) return std::nullopt;
    if (size == 0 || (size == -1 && errno == ECONNRESET)) {
      is_closed_ = true;
      return std::nullopt;
    }
    base::check("receive a message between lab and guest", static_cast<long>(size));
    take_packet(Bytes(buffer_).first(static_cast<std::size_t>(size)));
  }
  is_complete_ = false;
  return std::exchange(partial_, {});
}

}  // namespace tcplab::uml
