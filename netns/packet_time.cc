#include "netns/packet_time.hh"

#include <chrono>
#include <cstring>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

using namespace std::chrono_literals;

constexpr base::nanoseconds kOldest = 60s;  // no frame waits that long

/// Returns the offset of the wall clock. All packets are converted with the same value, because two
/// measurements differ, and packets of different ports could change places.
base::nanoseconds& offset() {
  static base::nanoseconds value = base::wall_clock_offset();
  return value;
}

}  // namespace

void enable_packet_times(int socket) {
  const int on = 1;
  base::check("ask for the times of packets",
              setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on));
}

std::optional<base::Instant> packet_time(msghdr& message, base::Instant latest) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    const base::nanoseconds wall =
        std::chrono::seconds(stamp.tv_sec) + std::chrono::nanoseconds(stamp.tv_nsec);
    const base::Instant sent(wall - offset());
    if (sent <= latest && sent > latest - kOldest) return sent;
    offset() = base::wall_clock_offset();
    return latest;
  }
  return std::nullopt;
}

}  // namespace tcplab::netns
