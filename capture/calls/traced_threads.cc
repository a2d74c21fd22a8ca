#include "capture/calls/traced_threads.hh"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace tcplab::capture {

namespace {

struct Relatives {
  pid_t process = 0;  // its thread group
  pid_t parent = 0;   // of the process
};

/// proc_pid_status(5). The parent of a new process cannot have ended: it stops when its fork(2) is
/// done.
Relatives relatives_of(pid_t thread) {
  constexpr std::string_view kProcess = "Tgid:";
  constexpr std::string_view kParent = "PPid:";  // comes later
  Relatives relatives{.process = thread};
  std::ifstream file("/proc/" + std::to_string(thread) + "/status");
  for (std::string line; relatives.parent == 0 && std::getline(file, line);) {
    if (line.starts_with(kProcess)) relatives.process = std::atoi(line.c_str() + kProcess.size());
    if (line.starts_with(kParent)) relatives.parent = std::atoi(line.c_str() + kParent.size());
  }
  return relatives;
}

}  // namespace

void TracedThreads::add(pid_t process, TracedProgram program) {
  threads_.insert_or_assign(process, TracedThread{.process = process, .program = program});
}

TracedThread& TracedThreads::at(pid_t id) {
  if (TracedThread* const known = find(id)) return *known;
  const Relatives its = relatives_of(id);
  TracedThread added{.process = its.process};
  for (const pid_t relative : {its.process, its.parent}) {
    const TracedThread* const known = find(relative);
    if (known == nullptr) continue;
    added.program = known->program;
    break;
  }
  return threads_.emplace(id, std::move(added)).first->second;
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
