#include "lab/hosts/peer_port.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.hh"
#include "capture/decode/decode.hh"
#include "lab/wire/neighbour_answer.hh"

namespace tcplab::lab {

PeerPort::PeerPort(netns::NicConfig nic)
    : nic_(std::move(nic)),
      waiting_(base::check("make the NIC of a peer", ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))) {}

void PeerPort::send(netns::Bytes frame) {
  frames_.push_back({base::now(), {frame.begin(), frame.end()}});
  base::check("send a peer's frame", ::eventfd_write(waiting_.get(), 1));
}

std::optional<netns::Received> PeerPort::read(std::span<std::uint8_t> buffer) {
  if (frames_.empty()) {
    eventfd_t count = 0;
    ::eventfd_read(waiting_.get(), &count);
    return std::nullopt;
  }
  const Sent frame = std::move(frames_.front());
  frames_.pop_front();
  const std::size_t size = std::min(frame.bytes.size(), buffer.size());
  std::copy_n(frame.bytes.begin(), size, buffer.begin());
  return netns::Received{.size = size, .sent = frame.at};
}

std::optional<base::Instant> PeerPort::next_sent() {
  return frames_.empty() ? std::nullopt : std::optional(frames_.front().at);
}

bool PeerPort::write(netns::Bytes frame, const netns::Offload& /*offload*/) {
  if (const auto answer = neighbour_answer(capture::decode(frame), nic_)) send(*answer);
  return true;
}

}  // namespace tcplab::lab
