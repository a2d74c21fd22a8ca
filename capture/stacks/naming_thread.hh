// Names stacks in a thread of its own, while the tracer goes on. Results keep their order.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capture/stacks/program_stack.hh"
#include "capture/stacks/stack_names.hh"

namespace tcplab::capture {

class NamingThread {
public:
  using Frames = std::vector<std::string>;
  /// Runs in the thread, in the order of add().
  using Use = std::function<void(Frames frames)>;

  /// `idle` runs in the thread when nothing waits to be named.
  explicit NamingThread(std::function<void()> idle);
  NamingThread(const NamingThread&) = delete;
  NamingThread& operator=(const NamingThread&) = delete;
  /// Names nothing more.
  ~NamingThread();

  /// Gives `use` the frames of the stack, or none without a stack. Rethrows what an earlier use or
  /// `idle` has thrown.
  void add(std::optional<ProgramStack> stack, Use use);

  /// Waits until all is used. Rethrows as add() does.
  void wait();
  /// Does the same, and ends the thread: the last call.
  void finish();

private:
  struct Job {
    std::optional<ProgramStack> stack;
    Use use;
  };

  void run();
  Frames name(const ProgramStack& stack);
  void rethrow();
  /// Waits for a job; none: the thread ends.
  std::optional<Job> next();

  std::function<void()> idle_;
  StackNames names_;
  std::mutex mutex_;  // of the five below
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool is_busy_ = false;  // the thread has a job
  std::exception_ptr failure_;
  bool ends_ = false;  // once the jobs are done
  std::thread thread_;
};

}  // namespace tcplab::capture
