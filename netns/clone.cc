#include "netns/clone.hh"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <vector>

#include "base/error.hh"
#include "base/limits.hh"
#include "netns/ordinary_priority.hh"

namespace tcplab::netns {

namespace {

// P_PIDFD is an enumerator that glibc before 2.36 lacks.
constexpr auto kByPidfd = static_cast<idtype_t>(3);

void require_single_thread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  if (error) throw base::SystemError("count the threads of this process", error.value());
  if (std::distance(begin(threads), end(threads)) > 1)
    throw base::LabError(
        "cannot create a process in new namespaces: this process has several threads");
}

void close_span(unsigned first, unsigned last) {
  if (first <= last) close_range(first, last, 0);
}

}  // namespace

Child clone_process(std::uint64_t namespaces) {
  require_single_thread();
  int pidfd = -1;
  const char* const attempt = "create a process in new namespaces";
  // Not clone3(2): the filter of Docker refuses every call of it, because it cannot see its flags.
  const long pid = syscall(SYS_clone, namespaces | CLONE_PIDFD | SIGCHLD, nullptr, &pidfd);
  if (pid == -1 && errno == EAGAIN)
    throw base::LabError(base::SystemError(attempt, EAGAIN).what() +
                         base::limit_of_processes(EAGAIN));
  base::check(attempt, pid);
  return {static_cast<pid_t>(pid), base::FileDescriptor(pidfd)};
}

LentPriority::LentPriority(pid_t process) : process_(process) {
  sched_param parameter{};
  if (sched_getparam(0, &parameter) != 0 || parameter.sched_priority == 0) return;
  const int policy = sched_getscheduler(0) | SCHED_RESET_ON_FORK;
  is_lent_ = sched_setscheduler(process, policy, &parameter) == 0;
}

LentPriority::~LentPriority() {
  const sched_param ordinary{};
  if (is_lent_) sched_setscheduler(process_, SCHED_OTHER, &ordinary);
}

base::FileDescriptor own_pidfd() {
  const long pidfd = syscall(SYS_pidfd_open, getpid(), 0);
  return base::FileDescriptor(static_cast<int>(base::check("open a pidfd of this process", pidfd)));
}

void die_with_parent(int parent_pidfd) {
  base::check("request SIGKILL for when the parent ends", prctl(PR_SET_PDEATHSIG, SIGKILL));
  // Across pid namespaces getppid() is 0 whether the parent lives or not. Its pidfd is reliable.
  if (has_ended(parent_pidfd)) _exit(128 + SIGKILL);
}

void restore_signals() {
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_all_except(std::span<const int> keep) {
  std::vector<int> sorted(keep.begin(), keep.end());
  std::ranges::sort(sorted);
  unsigned first = 0;
  for (const int descriptor : sorted) {
    if (descriptor < 0) continue;
    const auto kept = static_cast<unsigned>(descriptor);
    if (kept > first) close_span(first, kept - 1);
    first = kept + 1;
  }
  close_span(first, ~0U);
}

int wait_for(const Child& child) {
  const OrdinaryPriority waits_fairly;
  siginfo_t info{};
  const auto id = static_cast<id_t>(child.pidfd.get());
  while (waitid(kByPidfd, id, &info, WEXITED) == -1)
    if (errno != EINTR) throw base::SystemError("wait for a process", errno);
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

bool try_reap(int pidfd) {
  const OrdinaryPriority waits_fairly;
  siginfo_t info{};
  if (waitid(kByPidfd, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) == -1)
    return errno == ECHILD;
  return info.si_pid != 0;
}

bool has_ended(int pidfd) {
  pollfd process{pidfd, POLLIN, 0};
  return poll(&process, 1, 0) != 0;
}

void await_readable(int descriptor, const std::function<void()>& meanwhile) {
  if (!meanwhile) return;
  constexpr int kMilliseconds = 1;
  pollfd wanted{descriptor, POLLIN, 0};
  do meanwhile();
  while (::poll(&wanted, 1, kMilliseconds) == 0);
}

base::FileDescriptor duplicate(int descriptor) {
  return base::FileDescriptor(
      base::check("duplicate a descriptor", fcntl(descriptor, F_DUPFD_CLOEXEC, 0)));
}

}  // namespace tcplab::netns
