// What /proc shows of a thread that may wait: whether it sleeps, how often it has run, and whether
// the machine's clock ends its wait. proc_pid_status(5), proc_pid_syscall(5).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace tcplab::lab {

enum class Wait : std::uint8_t {
  none,     // it runs, or wants to
  untimed,  // in a system call that only something else in the run can end
  timed,    // in one that ends after a time of the machine's clock
  unknown,  // in one that may do either
};

struct ThreadLook {
  pid_t own_id = 0;            // as the thread sees itself
  bool sleeps = false;         // interruptibly: what wakes it makes it runnable at once
  std::uint64_t switches = 0;  // grows whenever it has run
  Wait wait = Wait::none;
  long call = -1;  // the system call, if it is in one
};

/// Reads the text of /proc/PID/task/TID/status. Returns nothing if it is not that.
std::optional<ThreadLook> parse_thread_status(std::string_view text);

/// Adds what the text of /proc/PID/task/TID/syscall says. The process is one of this machine's
/// architecture.
void add_call(ThreadLook& thread, std::string_view text);

}  // namespace tcplab::lab
