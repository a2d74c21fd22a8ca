#include "capture/calls/traced_threads.hh"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace tcplab::capture {

namespace {

/// The process (thread group) of a thread: proc_pid_status(5).
pid_t process_of(pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Tgid:")) return std::atoi(line.c_str() + 5);
  return thread;
}

}  // namespace

void TracedThreads::add(pid_t process, TracedProgram program) {
  threads_.insert_or_assign(process, TracedThread{.process = process, .program = program});
}

TracedThread& TracedThreads::at(pid_t id) {
  const auto [found, is_new] = threads_.try_emplace(id);
  if (is_new) found->second.process = process_of(id);
  return found->second;
}

TracedThread* TracedThreads::find(pid_t id) {
  const auto found = threads_.find(id);
  return found == threads_.end() ? nullptr : &found->second;
}

bool TracedThreads::has_any_of_program(TracedProgram program) const {
  return std::ranges::any_of(threads_,
                             [program](const auto& one) { return one.second.program == program; });
}

bool TracedThreads::has_any_of_process(pid_t process) const {
  return std::ranges::any_of(threads_,
                             [process](const auto& one) { return one.second.process == process; });
}

}  // namespace tcplab::capture
