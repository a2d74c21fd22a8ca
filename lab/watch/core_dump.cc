#include "lab/watch/core_dump.hh"

#include <sys/ptrace.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "base/clock.hh"
#include "base/error.hh"
#include "base/shell_word.hh"
#include "capture/calls/stack_copy.hh"
#include "capture/event/call_thread.hh"
#include "capture/memory/core_writer.hh"
#include "capture/proc/thread_in_call.hh"

namespace tcplab::lab {

namespace {

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code error;
  const std::filesystem::path folder = fmt::format("/proc/{}/task", process);
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    threads.push_back(std::stoi(entry.path().filename().string()));
  return threads;
}

timespec timespec_of(base::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {seconds.count(), (time - seconds).count()};
}

/// Stops the threads that run or wait. The kernel sends SIGCHLD when one has stopped. The tracer
/// sees the stops later, and lets the threads go on. One that does not stop in time, such as one in
/// vfork(2), is left out.
std::vector<capture::DumpedThread> stop(pid_t process, std::vector<pid_t> threads) {
  constexpr auto kPatience = std::chrono::seconds(5);
  std::vector<capture::DumpedThread> stopped;
  const auto take = [&](pid_t thread) {
    const auto registers = capture::registers_of(thread);
    if (registers) stopped.push_back({capture::own_thread_id(process, thread), *registers});
    return registers.has_value();
  };
  const auto has_ended = [](pid_t thread) {
    return ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == -1;
  };
  std::erase_if(threads, take);
  std::erase_if(threads, has_ended);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const base::Instant end = base::now() + kPatience;
  while (std::erase_if(threads, take), !threads.empty() && base::now() < end) {
    const timespec left = timespec_of(end - base::now());
    ::sigtimedwait(&child, nullptr, &left);
  }
  return stopped;
}

/// With a limit of 1, the kernel writes no core file, and starts no program for one either
/// (do_coredump() in fs/coredump.c).
void forbid_core_of_kernel(pid_t process) {
  rlimit limit{};
  if (::prlimit(process, RLIMIT_CORE, nullptr, &limit) != 0) return;
  limit.rlim_cur = 1;
  limit.rlim_max = std::max<rlim_t>(limit.rlim_max, 1);
  ::prlimit(process, RLIMIT_CORE, &limit, nullptr);
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

std::string CoreDumps::write(const capture::Call& call, const std::string& path) {
  forbid_core_of_kernel(call.pid);
  std::vector<pid_t> threads = threads_of(call.pid);
  // The thread that gets the signal is the first.
  const auto failed = std::ranges::find(threads, capture::thread_of(call));
  if (failed != threads.end()) std::rotate(threads.begin(), failed, failed + 1);
  try {
    const capture::DumpedSize size =
        capture::write_core({.process = call.pid,
                             .own_process = capture::own_thread_id(call.pid, call.pid),
                             .signal = SIGABRT,
                             .threads = stop(call.pid, std::move(threads))},
                            path, left_);
    left_ -= std::min(left_, size.written);
    std::string text = fmt::format("has a core file ({}): tcplab look {}", megabytes(size.written),
                                   base::shell_word(path));
    if (size.left_out > 0)
      text += fmt::format(
          "; {} of its memory are left out, because the core files of a host have "
          "at most 1 GiB",
          megabytes(size.left_out));
    return text;
  } catch (const base::SystemError& failure) {
    return fmt::format("has no core file: {}", failure.what());
  }
}

}  // namespace tcplab::lab
