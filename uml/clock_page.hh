// The memory that the lab shares with the kernels of its guests. The lab writes how fast the
// virtual clock is and how much time it has skipped. Each kernel writes whether it is idle, and
// until when. The preload library reads and writes it inside a guest's kernel process, so this file
// has no code of the C++ library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tcplab::uml {

/// The signal that wakes a kernel whose timer is due: SIGRTMAX, which the C library and UML do not
/// use. A SIGALRM could get lost: it is not queued while one from the kernel's own timer is pending
/// (signal(7)), and Linux 6.13 and later drop that one if the timer was set again since.
inline constexpr int kWakeSignal = 64;

/// One guest's part. All times are nanoseconds of the virtual clock.
struct alignas(64) GuestSlot {
  std::atomic<std::int64_t> pid;       // of the kernel process; 0 until it has started
  std::atomic<std::int64_t> sleeps;    // how often it went to sleep: it had nothing to do
  std::atomic<std::int64_t> wakes;     // how often it woke up; one less while it sleeps
  std::atomic<std::int64_t> deadline;  // when its timer is due, as of its last sleep
  std::atomic<std::int64_t> held;      // this guest reads no earlier time than this one
  std::atomic<std::int64_t> ahead;     // how far this guest's clock is ahead of the virtual clock
};

struct ClockPage {
  static constexpr std::size_t kSlots = 1024;

  // The virtual clock (base::TimeCourse). `origin` changes only while no guest runs.
  alignas(64) std::atomic<std::int64_t> offset;  // how much time was skipped
  std::int64_t origin;
  std::int64_t slowness;
  GuestSlot slots[kSlots];
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free, "processes share it");

// The environment of a guest's kernel process: numbers.
inline constexpr char kPageVariable[] = "TCPLAB_CLOCK_PAGE";  // the page's descriptor
inline constexpr char kSlotVariable[] = "TCPLAB_CLOCK_SLOT";  // the guest's slot
inline constexpr char kBellVariable[] = "TCPLAB_CLOCK_BELL";  // an eventfd to write when it sleeps
inline constexpr char kOwnerVariable[] = "TCPLAB_CLOCK_OWNER";  // the lab's pid

// Whether the process confines itself (preload/confinement.hh), and the descriptor of its view of
// the machine's files: -1 for none.
inline constexpr char kConfinedVariable[] = "TCPLAB_CONFINED";
inline constexpr char kViewVariable[] = "TCPLAB_VIEW";

// Where the confined process has a tmpfs of its own, for its memory and the disks of the host. A
// guest mounts its own /sys there.
inline constexpr char kOwnPlace[] = "/sys";

// A folder that does not exist. The kernel believes that it has made it.
inline constexpr char kNoFolder[] = "/tcplab-guest";

}  // namespace tcplab::uml
