#include "capture/stacks/naming_thread.hh"

#include <utility>

namespace tcplab::capture {

NamingThread::NamingThread(std::function<void()> idle) : idle_(std::move(idle)) {}

NamingThread::~NamingThread() {
  {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void NamingThread::add(std::optional<ProgramStack> stack, Use use) {
  rethrow();
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(stack), std::move(use)});
  }
  changed_.notify_all();
  // Not earlier: the program that is traced was forked before, from a process with one thread.
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void NamingThread::wait() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || (jobs_.empty() && !is_busy_); });
  }
  rethrow();
}

void NamingThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  rethrow();
}

void NamingThread::rethrow() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::optional<NamingThread::Job> NamingThread::next() {
  std::unique_lock lock(mutex_);
  is_busy_ = false;
  if (jobs_.empty()) {
    changed_.notify_all();
    lock.unlock();
    idle_();
    lock.lock();
  }
  changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
  if (jobs_.empty()) return std::nullopt;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  is_busy_ = true;
  return job;
}

/// A stack without registers is that of a thread that was not stopped.
NamingThread::Frames NamingThread::name(const ProgramStack& stack) {
  const bool was_stopped = !stack.native.registers.empty();
  return with_language(
      was_stopped ? names_.frames(stack.native) : names_.frames_of_waiting(stack.native), stack);
}

void NamingThread::run() {
  try {
    while (auto job = next()) job->use(job->stack ? name(*job->stack) : Frames{});
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace tcplab::capture
