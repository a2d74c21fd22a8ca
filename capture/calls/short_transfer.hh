// Makes a call transfer fewer bytes than its program asks for. The kernel itself transfers fewer,
// so the program and its peer agree. At the entry of the call, the count is changed in its register
// or in an iovec of the program's memory. At the return, it is restored.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/calls/call_stop.hh"
#include "capture/calls/tracee_layout.hh"

namespace tcplab::capture {

/// Returns how many bytes the call asks for; 0 if that cannot be limited: recvmmsg(2) and
/// sendmmsg(2) have messages, an iovec may be long, and other calls move no data.
std::uint64_t bytes_asked(const CallStop& stop);

class ShortTransfer {
public:
  /// Limits the call at its entry to that many bytes, at least 1 and fewer than bytes_asked().
  ShortTransfer(const CallStop& stop, std::uint64_t bytes);

  /// To be called at the return, or before the kernel makes the call again.
  void restore(const CallStop& stop) const;

private:
  void limit_argument(const CallStop& stop, int index, std::uint64_t value);
  void limit_message(const CallStop& stop, std::uint64_t bytes);
  std::uint64_t limit_vector(const CallStop& stop, const BufferList& list, std::uint64_t bytes);

  int argument_ = -1;                  // the one that is changed
  std::optional<TraceeWord> length_;   // of the last buffer that is used, as it was
  std::optional<TraceeWord> buffers_;  // the number of buffers of a msghdr, as it was
};

}  // namespace tcplab::capture
