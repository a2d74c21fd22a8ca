#include "app/catalogue/child_work.hh"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <optional>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "base/limits.hh"

namespace tcplab::app {

namespace {

/// The head of an answer in the pipe. The bytes of its text follow.
struct Head {
  std::uint64_t size = 0;
  bool is_wrong = false;
};

void write_all(int pipe, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = ::write(pipe, at, size);
    if (written == -1 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);  // the parent is gone
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Returns false at the end of the pipe.
bool read_all(int pipe, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::read(pipe, at, size);
    if (got == -1 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<ChildAnswer> read_answer(int pipe) {
  Head head;
  if (!read_all(pipe, &head, sizeof head)) return std::nullopt;
  std::string text(head.size, '\0');
  if (!read_all(pipe, text.data(), text.size())) return std::nullopt;
  return head.is_wrong ? ChildAnswer{"", text} : ChildAnswer{text, ""};
}

/// The child must not outlive its parent, which may be killed while a script hangs.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

[[noreturn]] void run_child(const ChildWork& work, std::size_t first, int pipe) {
  const rlimit no_core{};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGXCPU, SIG_DFL);
  for (std::size_t item = first; item < work.items; ++item) {
    allow_processor_time(work.limit);
    Head head;
    std::string text;
    try {
      text = work.work(item);
    } catch (const std::exception& error) {
      head.is_wrong = true;
      text = error.what();
    }
    head.size = text.size();
    write_all(pipe, &head, sizeof head);
    write_all(pipe, text.data(), text.size());
  }
  ::_exit(0);
}

/// Waits for a child that did not answer, and returns why.
std::string reason_of(int status, std::chrono::seconds limit) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return fmt::format(
        "the script has used the processor for more than {} s; does it loop forever?",
        limit.count());
  if (WIFSIGNALED(status))
    return "the process that loaded the script was killed by " +
           base::signal_name(WTERMSIG(status));
  return fmt::format("the process that loaded the script ended with status {}",
                     WEXITSTATUS(status));
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) == -1)
    if (errno != EINTR) throw base::SystemError("wait for a process", errno);
  return status;
}

}  // namespace

void allow_processor_time(std::chrono::seconds more) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  const auto until = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     static_cast<rlim_t>(more.count()) + 1;
  limit.rlim_cur = std::min(until, limit.rlim_max);
  ::setrlimit(RLIMIT_CPU, &limit);
}

void work_in_children(const ChildWork& work,
                      const std::function<void(std::size_t item, const ChildAnswer&)>& take) {
  for (std::size_t next = 0; next < work.items;) {
    base::Pipe pipe = base::make_pipe();
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == -1)
      throw base::LabError(base::SystemError("start a process", errno).what() +
                           base::limit_of_processes(errno));
    if (child == 0) {
      die_with(parent);
      pipe.read_end.reset();
      run_child(work, next, pipe.write_end.get());
    }
    pipe.write_end.reset();
    while (const auto answer = read_answer(pipe.read_end.get())) take(next++, *answer);
    const int status = wait_for(child);
    if (next < work.items) take(next++, {"", reason_of(status, work.limit)});
  }
}

}  // namespace tcplab::app
