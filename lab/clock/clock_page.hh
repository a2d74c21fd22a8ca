// The memory that the lab shares with the processes of a stack host. The lab writes how its clock
// is computed. The processes write until when they wait. docs/stacks.md ("Time") describes the
// first part, for stacks with a clock of their own. The preload library reads and writes the rest
// inside any process, so this file has no code of the C++ library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tcplab::lab {

/// The deadline of a process that waits for no time, and of one whose deadline has passed, and
/// which has not noticed yet.
inline constexpr std::int64_t kNoDeadline = INT64_MAX;
inline constexpr std::int64_t kBeingRung = 0;

/// A timer of the machine that a process has set, and which the lab can neither see nor advance.
enum class OwnTimer : std::int64_t { none, timerfd, timer, itimer, socket_timeout };

/// A process with the preload library. Process and thread have the numbers that it sees itself.
struct alignas(64) ClockClient {
  std::atomic<std::int64_t> process;    // 0: nobody uses this place
  std::atomic<std::int64_t> ringer;     // its thread that ends waits; execve(2) ends that too
  std::atomic<std::int64_t> deadline;   // the first of all its waits
  std::atomic<std::int64_t> own_timer;  // an OwnTimer
  std::atomic<std::uint32_t> bell;      // a futex; changes when the ringer has to look
};

/// All times are nanoseconds of the lab's clock.
struct HostClockPage {
  static constexpr std::size_t kClients = 255;

  // The lab's clock is origin + (CLOCK_MONOTONIC - origin) / slowness + skipped.
  std::atomic<std::int64_t> skipped;
  std::int64_t origin;
  std::int64_t slowness;
  // A process that takes its time from this page by itself.
  std::atomic<std::int64_t> own_process;   // its getpid(2)
  std::atomic<std::int64_t> own_deadline;  // its next timer

  ClockClient clients[kClients];
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free, "processes share it");
static_assert(offsetof(HostClockPage, own_process) == 24, "docs/stacks.md says so");
static_assert(offsetof(HostClockPage, own_deadline) == 32, "docs/stacks.md says so");

// The environment of a process: the numbers of the page's descriptor, and of one that becomes
// readable when own_deadline has passed.
inline constexpr char kClockVariable[] = "TCPLAB_CLOCK";
inline constexpr char kBellVariable[] = "TCPLAB_CLOCK_BELL";

}  // namespace tcplab::lab
