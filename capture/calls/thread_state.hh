// What a traced thread does while its call is under way: proc_pid_stat(5), waitid(2).
#pragma once

#include <sys/types.h>

namespace tcplab::capture {

/// Returns true if the thread sleeps. It does not if it runs, is ready to run, or stands in a stop
/// that its tracer has still to handle: there it stands when its call has returned and the tracer
/// is busy. A thread that job control or a freezer holds sleeps, too. Only the thread's tracer may
/// ask.
bool sleeps(pid_t thread);

}  // namespace tcplab::capture
