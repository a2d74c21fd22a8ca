// The timed waits of a process, in the lab's time. A thread that waits until a deadline registers
// it here, and waits without a limit. One thread of the library, the ringer, ends the waits whose
// deadline has passed. It knows the lab's time from the page, and the lab wakes it after a skip.
//
// No function here takes a lock: a wait may be in a signal handler, and fork(2) copies any state.
#pragma once

#include <pthread.h>

#include <csignal>
#include <cstdint>

namespace tcplab::lab {

/// One wait. A thread has several only if a signal handler waits, too.
struct WaitPlace;

/// Takes the page from the environment, and starts the ringer. Returns false without a page: then
/// nothing else here may be called.
bool start_waits();
bool has_clock();

std::int64_t lab_time();
/// Returns how far the lab's clock is ahead of the machine's.
std::int64_t lab_offset();

/// From here on, the ringer ends this thread's wait at `deadline` (nanoseconds of the lab's time):
/// it broadcasts `condition`; if that is null, it sends the thread a kWaitSignal, which the caller
/// must let through only while it waits. It repeats both until end_wait(), so none gets lost.
WaitPlace* begin_wait(std::int64_t deadline, pthread_cond_t* condition);
/// Returns whether the deadline has passed and the ringer has said so.
bool end_wait(WaitPlace* place);

/// The threads of the process block it.
inline constexpr int kWaitSignal = 59;
/// Returns whether this thread has got a kWaitSignal since the last call.
bool was_signalled();

/// The process has a timer that the lab cannot see (OwnTimer).
void note_own_timer(std::int64_t kind);

}  // namespace tcplab::lab
