#include "lab/hosts/stack_port.hh"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

constexpr int kRoom = 4 << 20;  // bytes of frames that the other side has not read

}  // namespace

StackPort::StackPort(base::FileDescriptor ours, std::size_t longest)
    : ours_(std::move(ours)), longest_(longest) {
  base::check("make a NIC non-blocking", ::fcntl(ours_.get(), F_SETFL, O_NONBLOCK));
  // net.core.wmem_max limits it, for root too; that is still room for a hundred frames.
  ::setsockopt(ours_.get(), SOL_SOCKET, SO_SNDBUF, &kRoom, sizeof kRoom);
}

/// A frame that is too long is lost. After many of these in a row, the loop goes on with other
/// hosts first.
std::optional<netns::Received> StackPort::read(std::span<std::uint8_t> buffer) {
  constexpr int kMostLost = 100;
  for (int lost = 0; lost < kMostLost; ++lost) {
    const ssize_t size = ::recv(ours_.get(), buffer.data(), buffer.size(), MSG_TRUNC);
    if (size == -1 && errno == EINTR) continue;
    // That the stack has ended, StackCalls says.
    if (size == 0 || (size == -1 && (errno == EAGAIN || errno == ECONNRESET))) return std::nullopt;
    base::check("read from the NIC of a stack", size);
    if (static_cast<std::size_t>(size) <= std::min(longest_, buffer.size()))
      return netns::Received{.size = static_cast<std::size_t>(size)};
  }
  return std::nullopt;
}

bool StackPort::write(netns::Bytes frame, const netns::Offload& offload) {
  if (frame.size() > longest_) return false;
  const std::vector<std::uint8_t> complete = netns::with_checksum(frame, offload);
  return ::send(ours_.get(), complete.data(), complete.size(), MSG_NOSIGNAL) != -1;
}

}  // namespace tcplab::lab
