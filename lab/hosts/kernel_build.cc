#include "lab/hosts/kernel_build.hh"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "base/error.hh"
#include "base/own_part.hh"
#include "lab/hosts/kernel_choice.hh"

namespace tcplab::lab {

namespace {

/// While it lives, these signals interrupt nothing: they wait for next().
class BuildSignals {
public:
  BuildSignals() {
    ::signal(SIGCHLD, SIG_DFL);  // the caller may have ignored it: then nobody could wait
    sigemptyset(&held_);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGCHLD}) sigaddset(&held_, signal);
    ::sigprocmask(SIG_BLOCK, &held_, &before_);
  }
  ~BuildSignals() { release(); }
  BuildSignals(const BuildSignals&) = delete;
  BuildSignals& operator=(const BuildSignals&) = delete;

  void release() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  int next() const { return ::sigwaitinfo(&held_, nullptr); }

private:
  sigset_t held_{};
  sigset_t before_{};
};

/// In the new process. All that it starts is one process group, so that it can end all.
[[noreturn]] void run_script(const std::string& script, const std::string& source,
                             const std::string& folder, pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  ::execl(script.c_str(), script.c_str(), source.c_str(), folder.c_str(), nullptr);
  std::perror(script.c_str());
  ::_exit(3);
}

/// As the terminal does with a job (Ctrl-Z, fg).
void pause_with(pid_t group) {
  ::kill(-group, SIGSTOP);
  ::raise(SIGSTOP);
  ::kill(-group, SIGCONT);
}

/// Waits for its end, and passes signals on to it. Returns its exit status. If it was killed, so is
/// what it has started.
int wait_for(pid_t process, const BuildSignals& signals) {
  for (;;) {
    const int signal = signals.next();
    siginfo_t end{};
    base::check("wait for the build",
                ::waitid(P_PID, static_cast<id_t>(process), &end, WEXITED | WNOHANG | WNOWAIT));
    if (end.si_pid == process) {
      if (end.si_code != CLD_EXITED) ::kill(-process, SIGKILL);
      ::waitpid(process, nullptr, 0);
      return end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status;
    }
    if (signal == SIGTSTP)
      pause_with(process);
    else if (signal > 0 && signal != SIGCHLD)
      ::kill(process, signal);
  }
}

}  // namespace

int build_kernel(const std::string& source) {
  const std::string folder = built_kernels_folder();
  if (folder.empty()) throw base::UsageError("kernels build: set HOME or XDG_CACHE_HOME");
  return run_builder(base::find_own_part("tcplab-build-kernel"), source, folder);
}

int run_builder(const std::string& script, const std::string& source, const std::string& folder) {
  std::fflush(nullptr);
  const BuildSignals signals;
  const pid_t self = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    signals.release();
    run_script(script, source, folder, self);
  }
  return wait_for(static_cast<pid_t>(base::check("start " + script, process)), signals);
}

}  // namespace tcplab::lab
