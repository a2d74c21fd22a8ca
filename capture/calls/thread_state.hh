// What a traced thread does while its call is under way: proc_pid_stat(5), waitid(2).
#pragma once

#include <sys/types.h>

namespace tcplab::capture {

/// Whether the thread sleeps: it neither runs nor is ready to, and no stop of it waits for its
/// tracer. A call that has returned on a busy machine is such a stop; a thread that is held (by
/// job control, by a freezer) is not. For the tracer of the thread only.
bool sleeps(pid_t thread);

}  // namespace tcplab::capture
