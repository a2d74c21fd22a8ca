// A call of a traced thread, from its entry to its return, and what a rule does to it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/clock.hh"
#include "capture/calls/call_stop.hh"
#include "capture/calls/injections.hh"
#include "capture/calls/short_transfer.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

struct PendingCall {
  CallStop stop;
  Call call;
  base::Instant entered;
  bool is_reported = false;
  bool is_interrupted = false;  // by a signal; the kernel may restart it
  base::Instant interrupted_at{};
  CallChange change{};  // what a rule does to it
  std::optional<ShortTransfer> shortened{};

  /// Returns whether an interrupted call is made again at this entry.
  bool is_again(const CallStop& at) const;
  /// At the entry: does to the call what its rule says. A call that is made again after a signal is
  /// limited again.
  void make_change();
  /// At the return: returns what the program gets instead of the kernel's result.
  std::int64_t changed_result(std::int64_t result);
};

}  // namespace tcplab::capture
