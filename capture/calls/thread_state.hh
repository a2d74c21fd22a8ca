// What a traced thread does while its call is under way: proc_pid_stat(5), waitid(2).
#pragma once

#include <sys/types.h>

namespace tcplab::capture {

/// Returns true if the thread sleeps: it does not run, is not ready to run, and has not come to a
/// stop that its tracer has not seen. A thread whose call has returned stands in such a stop while
/// a busy tracer does other things. A thread that job control or a freezer holds sleeps, too. Only
/// the thread's tracer may ask.
bool sleeps(pid_t thread);

}  // namespace tcplab::capture
