// When the kernel received a packet on a packet socket (SO_TIMESTAMPNS, socket(7)). On our end of a
// veth pair that is when the host sent the frame.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <optional>

#include "base/clock.hh"

namespace tcplab::netns {

/// Asks the kernel for the time of each packet. Throws base::SystemError.
void enable_packet_times(int socket);

/// Room for the control message with the time.
struct alignas(cmsghdr) PacketTimeBuffer {
  std::array<std::byte, CMSG_SPACE(sizeof(timespec))> bytes;
};

/// Returns the time in a message that recvmsg(2) has filled; nullopt if it has none. The kernel
/// stamps in wall-clock time. If somebody sets the machine's clock, the next time is `latest`.
std::optional<base::Instant> packet_time(msghdr& message, base::Instant latest);

}  // namespace tcplab::netns
