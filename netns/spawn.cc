#include "netns/spawn.hh"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/view/boot.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

constexpr int kHostNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;

/// While the guard lives, new children start in the pid namespace of a host.
class ChildPidNamespace {
public:
  explicit ChildPidNamespace(int init_pidfd)
      : home_(base::check("open the pid namespace",
                          open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC))) {
    base::check("enter a host's pid namespace", setns(init_pidfd, CLONE_NEWPID));
  }
  ~ChildPidNamespace() {
    // Further children would start on the wrong host.
    if (setns(home_.get(), CLONE_NEWPID) == -1) std::terminate();
  }
  ChildPidNamespace(const ChildPidNamespace&) = delete;
  ChildPidNamespace& operator=(const ChildPidNamespace&) = delete;

private:
  FileDescriptor home_;
};

void open_null(int target) {
  const int opened = base::check("open /dev/null", open("/dev/null", O_RDWR));
  if (opened == target) return;
  base::check("duplicate a descriptor", dup2(opened, target));
  close(opened);
}

int highest_target(const std::map<int, int>& descriptors) {
  return descriptors.empty() ? 2 : std::max(2, descriptors.rbegin()->first);
}

int duplicate_above(int descriptor, int above) {
  return base::check("duplicate a descriptor", fcntl(descriptor, F_DUPFD_CLOEXEC, above + 1));
}

/// Gives the program its descriptors, /dev/null for those of 0 to 2 that are missing, and closes
/// all others; `error_pipe` closes at exec. The sources are first duplicated above all targets,
/// because the program's 3 may be the lab's 5, and its 5 the lab's 3.
void arrange_descriptors(const std::map<int, int>& wanted, int error_pipe) {
  const int highest = highest_target(wanted);
  std::vector<int> sources{error_pipe};
  for (const auto& [target, source] : wanted) sources.push_back(duplicate_above(source, highest));
  close_all_except(sources);
  std::size_t next = 1;
  for (const auto& [target, source] : wanted)
    base::check("duplicate a descriptor", dup2(sources[next++], target));
  for (const int standard : {0, 1, 2})
    if (!wanted.contains(standard)) open_null(standard);
}

void set_limits(const std::vector<ResourceLimit>& limits) {
  for (const auto& [name, resource, value] : limits) {
    const rlimit both{value, value};
    base::check("set its limit " + name + " to " + std::to_string(value),
                setrlimit(static_cast<__rlimit_resource_t>(resource), &both));
  }
}

void become(const ProgramUser& user) {
  base::check("set its groups", setgroups(user.groups.size(), user.groups.data()));
  base::check("set its group", setresgid(user.group, user.group, user.group));
  base::check("set its user", setresuid(user.user, user.user, user.user));
}

[[noreturn]] void execute(const SpawnRequest& request) {
  if (!request.inherits_environment) clearenv();
  for (const auto& [name, value] : request.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : request.command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  set_limits(request.limits);
  set_mark(request.mark);
  if (request.hook != nullptr) request.hook->before_exec();
  if (request.has_terminal)
    base::check("get a controlling terminal", ioctl(STDIN_FILENO, TIOCSCTTY, 0));
  drop_privileges({request.privileges, request.user_namespaces});
  if (request.user) become(*request.user);
  if (!request.folder.empty())
    base::check("change to the folder " + request.folder, chdir(request.folder.c_str()));
  // Unlike execv(3), execvp(3) gives a file of an unknown format to sh(1).
  if (request.command[0].find('/') != std::string::npos)
    execv(arguments[0], arguments.data());
  else
    execvp(arguments[0], arguments.data());
  throw base::SystemError("run " + request.command[0], errno);
}

void report(int error_pipe, const std::exception& error) {
  const std::string text = error.what();
  [[maybe_unused]] const ssize_t written = ::write(error_pipe, text.data(), text.size());
}

[[noreturn]] void run_child(const SpawnPlace& place, const SpawnRequest& request, int error_pipe) {
  error_pipe = duplicate_above(error_pipe, highest_target(request.descriptors));
  try {
    if (request.hook != nullptr) request.hook->in_child();
    // Both may wait long for the kernel's RCU, so the lab does neither.
    if (place.view != nullptr) place.view->refresh();
    const std::string folder = std::filesystem::current_path();
    base::check("enter the host's namespaces", setns(place.init_pidfd, kHostNamespaces));
    enter_uptime(place.time_namespace);
    // Entering a mount namespace changes the current folder to its root (setns(2)).
    if (chdir(folder.c_str()) == -1) base::check("change to /", chdir("/"));
    restore_signals();
    setsid();
    arrange_descriptors(request.descriptors, error_pipe);
    execute(request);
  } catch (const std::exception& error) {
    report(error_pipe, error);
  }
  _exit(127);
}

/// Returns the child's error; empty once execvp(3) has succeeded, which closes the pipe.
std::string read_error(FileDescriptor pipe) {
  std::string text(4096, '\0');
  ssize_t size = -1;
  do {
    size = ::read(pipe.get(), text.data(), text.size());
  } while (size == -1 && errno == EINTR);
  base::check("learn whether a program has started", static_cast<long>(size));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Child start_child(const SpawnPlace& place, const SpawnRequest& request, int error_pipe) {
  const ChildPidNamespace host(place.init_pidfd);
  Child child = clone_process(0);
  if (child.pid == 0) run_child(place, request, error_pipe);
  return child;
}

}  // namespace

Spawned spawn_program(const SpawnPlace& place, const SpawnRequest& request) {
  if (request.command.empty()) throw base::LabError(place.host + ": cannot run an empty command");
  base::Pipe errors = base::make_pipe();
  Child child = start_child(place, request, errors.write_end.get());
  errors.write_end.reset();
  const std::string failure = [&] {
    const LentPriority lent(child.pid);
    if (request.hook != nullptr) request.hook->in_lab(child.pid);
    await_readable(errors.read_end.get(), request.meanwhile);
    return read_error(std::move(errors.read_end));
  }();
  if (!failure.empty()) {
    wait_for(child);
    throw base::LabError(place.host + ": " + failure);
  }
  return {child.pid, std::move(child.pidfd)};
}

std::string do_inside(int init_pidfd, const std::function<void()>& task) {
  base::Pipe errors = base::make_pipe();
  const Child child = clone_process(0);
  if (child.pid == 0) {
    try {
      base::check("enter the host's mounts", setns(init_pidfd, CLONE_NEWNS));
      task();
    } catch (const std::exception& error) {
      report(errors.write_end.get(), error);
    }
    _exit(0);
  }
  errors.write_end.reset();
  LentPriority lent(child.pid);
  std::string failure = read_error(std::move(errors.read_end));
  lent.keep();
  const int status = wait_for(child);
  if (status != 0 && failure.empty())
    return "the helper ended with status " + std::to_string(status);
  return failure;
}

}  // namespace tcplab::netns
