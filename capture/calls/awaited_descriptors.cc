#include "capture/calls/awaited_descriptors.hh"

#include <sys/select.h>

#include <algorithm>
#include <array>
#include <climits>

namespace tcplab::capture {

std::vector<pollfd> polled(const CallStop& stop) {
  return read_values<pollfd>(stop.thread, stop.arguments[0],
                             std::min<std::uint64_t>(stop.arguments[1], kMostDescriptors));
}

std::map<int, int> selected(const CallStop& stop) {
  constexpr std::array<int, 3> kEvents = {POLLIN, POLLOUT, POLLPRI};
  const int count = std::clamp(static_cast<int>(stop.arguments[0]), 0, FD_SETSIZE);
  std::map<int, int> found;
  for (std::size_t set = 0; set < kEvents.size(); ++set) {
    constexpr int kBits = CHAR_BIT;
    const auto bytes =
        read_values<unsigned char>(stop.thread, stop.arguments[set + 1],
                                   static_cast<std::size_t>((count + kBits - 1) / kBits));
    const int bits = std::min(count, static_cast<int>(bytes.size()) * kBits);
    for (int fd = 0; fd < bits; ++fd)
      if ((bytes[static_cast<std::size_t>(fd / kBits)] >> (fd % kBits) & 1) != 0)
        found[fd] |= kEvents[set];
  }
  return found;
}

std::map<int, int> awaited(const CallStop& stop) {
  if (stop.call->kind == CallKind::select || stop.call->kind == CallKind::pselect)
    return selected(stop);
  std::map<int, int> found;
  for (const pollfd& entry : polled(stop))
    if (entry.fd >= 0) found[entry.fd] |= entry.events;
  return found;
}

}  // namespace tcplab::capture
