// Does work of unknown length in child processes: for scripts of unknown authors, which may loop
// forever where nothing can interrupt them, or use up the processor in the kernel.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace tcplab::app {

/// What became of one item.
struct ChildAnswer {
  std::string text{};   // what the work returned; it may contain any byte
  std::string wrong{};  // why there is no answer: "it ran for more than 4 s"; else empty
};

struct ChildWork {
  std::size_t items = 0;
  /// Processor time of one item, in user mode and in the kernel. The kernel rounds it up to whole
  /// seconds of the child (RLIMIT_CPU, setrlimit(2)).
  std::chrono::seconds limit{};
  /// Runs in a child process. An exception is no answer.
  std::function<std::string(std::size_t item)> work;
};

/// Allows this process that much more of the processor; then SIGXCPU ends it. An item that has
/// parts may call it before each of them.
void allow_processor_time(std::chrono::seconds more);

/// Passes the answer for each item, in order, to `take`, as soon as it is known. One child does all
/// items; if an item ends the child, the next child goes on after that item. Throws
/// base::LabError if no process can be started.
void work_in_children(const ChildWork& work,
                      const std::function<void(std::size_t item, const ChildAnswer&)>& take);

}  // namespace tcplab::app
