#include "netns/spawn.hh"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "base/error.hh"
#include "netns/clone.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

constexpr int kHostNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;

/// For the life of the guard, children are born into another pid namespace.
class ChildrenIn {
public:
  explicit ChildrenIn(int init_pidfd)
      : home_(base::check("open the pid namespace",
                          open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC))) {
    base::check("choose the pid namespace", setns(init_pidfd, CLONE_NEWPID));
  }
  ~ChildrenIn() {
    // Children in the wrong host would be worse than none.
    if (setns(home_.get(), CLONE_NEWPID) == -1) std::terminate();
  }
  ChildrenIn(const ChildrenIn&) = delete;
  ChildrenIn& operator=(const ChildrenIn&) = delete;

private:
  FileDescriptor home_;
};

void open_null(int target) {
  const int opened = base::check("open /dev/null", open("/dev/null", O_RDWR));
  if (opened == target) return;
  base::check("place a descriptor", dup2(opened, target));
  close(opened);
}

int highest_target(const std::map<int, int>& descriptors) {
  return descriptors.empty() ? 2 : std::max(2, descriptors.rbegin()->first);
}

int lift(int descriptor, int above) {
  return base::check("lift a descriptor", fcntl(descriptor, F_DUPFD_CLOEXEC, above + 1));
}

/// Lays the descriptors out as asked, 0 to 2 from /dev/null where they were not mentioned, and
/// closes all others, `report` at exec. Sources are first lifted out of the way, since one
/// program's 3 may be the lab's 5 and the other way round.
void arrange_descriptors(const std::map<int, int>& wanted, int report) {
  const int highest = highest_target(wanted);
  std::vector<int> lifted{report};
  for (const auto& [target, source] : wanted) lifted.push_back(lift(source, highest));
  close_others(lifted);
  std::size_t next = 1;
  for (const auto& [target, source] : wanted)
    base::check("place a descriptor", dup2(lifted[next++], target));
  for (const int standard : {0, 1, 2})
    if (!wanted.contains(standard)) open_null(standard);
}

[[noreturn]] void execute(const SpawnRequest& request) {
  for (const auto& [name, value] : request.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : request.command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw base::SystemError("run " + request.command[0], errno);
}

[[noreturn]] void run_child(int init_pidfd, const SpawnRequest& request, int report) {
  report = lift(report, highest_target(request.descriptors));
  try {
    const std::string folder = std::filesystem::current_path();
    base::check("enter the host's namespaces", setns(init_pidfd, kHostNamespaces));
    // Entering a mount namespace moves us to its root (setns(2)).
    if (chdir(folder.c_str()) == -1) base::check("change to /", chdir("/"));
    restore_signals();
    setsid();
    arrange_descriptors(request.descriptors, report);
    execute(request);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    [[maybe_unused]] const ssize_t told = ::write(report, text.data(), text.size());
  }
  _exit(127);
}

/// Empty once the program has been executed, which closes the pipe.
std::string read_report(FileDescriptor pipe) {
  std::string text(4096, '\0');
  ssize_t size = -1;
  do {
    size = ::read(pipe.get(), text.data(), text.size());
  } while (size == -1 && errno == EINTR);
  base::check("hear from a program's start", static_cast<long>(size));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Child start_child(int init_pidfd, const SpawnRequest& request, int report) {
  const ChildrenIn host(init_pidfd);
  Child child = clone_process(0);
  if (child.pid == 0) run_child(init_pidfd, request, report);
  return child;
}

}  // namespace

Spawned spawn_program(const std::string& host, int init_pidfd, const SpawnRequest& request) {
  if (request.command.empty()) throw base::LabError(host + ": cannot run nothing");
  base::Pipe report = base::make_pipe();
  Child child = start_child(init_pidfd, request, report.write_end.get());
  report.write_end.reset();
  const std::string failure = read_report(std::move(report.read_end));
  if (!failure.empty()) {
    wait_for(child);
    throw base::LabError(host + ": " + failure);
  }
  return {child.pid, std::move(child.pidfd)};
}

}  // namespace tcplab::netns
