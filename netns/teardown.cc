#include "netns/teardown.hh"

#include <unistd.h>

#include <exception>

#include "netns/clone.hh"

namespace tcplab::netns {

namespace {

[[noreturn]] void do_teardown(int start, std::span<const int> descriptors,
                              const std::function<void()>& task) {
  try {
    restore_signals();
    std::vector<int> kept(descriptors.begin(), descriptors.end());
    kept.push_back(start);
    close_all_except(kept);
    char nothing = 0;
    while (::read(start, &nothing, 1) == -1) {
    }
    task();
  } catch (const std::exception&) {
    // The kernel removes the remaining links with the host's namespaces.
  }
  _exit(0);
}

}  // namespace

Teardown::Teardown(std::span<const int> descriptors, const std::function<void()>& task) {
  base::Pipe pipe = base::make_pipe();
  Child child = clone_process(0);
  if (child.pid == 0) do_teardown(pipe.read_end.get(), descriptors, task);
  start_ = std::move(pipe.write_end);
  pidfd_ = std::move(child.pidfd);
}

base::FileDescriptor Teardown::finish() {
  start_.reset();
  return std::move(pidfd_);
}

void ZombieReaper::reap() {
  std::erase_if(pidfds_, [](const base::FileDescriptor& pidfd) { return try_reap(pidfd.get()); });
}

ZombieReaper& ZombieReaper::instance() {
  static ZombieReaper reaper;
  return reaper;
}

}  // namespace tcplab::netns
