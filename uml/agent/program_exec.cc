#include "uml/agent/program_exec.hh"

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
#include <string>
#include <vector>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/view/containment.hh"
#include "uml/agent/guest_system.hh"

namespace tcplab::uml {

namespace {

int duplicate_above(int descriptor, int above) {
  return base::check("duplicate a descriptor", ::fcntl(descriptor, F_DUPFD_CLOEXEC, above + 1));
}

void open_null(int target) {
  const int opened = base::check("open /dev/null", ::open("/dev/null", O_RDWR));
  if (opened == target) return;
  base::check("duplicate a descriptor", ::dup2(opened, target));
  ::close(opened);
}

/// The sources are first duplicated above all targets: the program's 3 may be our 5, and its 5 our
/// 3.
void arrange(const std::map<int, int>& wanted, int above, int error_pipe) {
  std::vector<int> sources{error_pipe};
  sources.reserve(wanted.size() + 1);
  for (const auto& [target, source] : wanted) sources.push_back(duplicate_above(source, above));
  netns::close_all_except(sources);
  std::size_t next = 1;
  for (const auto& [target, source] : wanted)
    base::check("duplicate a descriptor", ::dup2(sources[next++], target));
  for (const int standard : {0, 1, 2})
    if (!wanted.contains(standard)) open_null(standard);
}

/// Lets a program preempt the kernel's threads. The agent preempts every program. Under
/// SCHED_OTHER, Linux 6.12 (its "fair server") sometimes lets a program run before the agent.
///
/// A program with a terminal stays under SCHED_OTHER. A thread of the kernel moves its output to
/// the agent, and the agent's ppoll(2) waits for that thread (n_tty_poll(), drivers/tty/n_tty.c).
/// A program that computes would keep the thread from running.
void set_priority(const ProgramStart& start) {
  if (start.has_terminal) return;
  sched_param lowest{};
  lowest.sched_priority = 1;
  base::check("set its scheduling", ::sched_setscheduler(0, SCHED_RR, &lowest));
}

void set_limits(const std::vector<netns::ResourceLimit>& limits) {
  for (const auto& [name, resource, value] : limits) {
    const rlimit both{value, value};
    base::check("set its limit " + name + " to " + std::to_string(value),
                ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both));
  }
}

void become(const netns::ProgramUser& user) {
  base::check("set its groups", ::setgroups(user.groups.size(), user.groups.data()));
  base::check("set its group", ::setresgid(user.group, user.group, user.group));
  base::check("set its user", ::setresuid(user.user, user.user, user.user));
}

[[noreturn]] void execute(const ProgramStart& start, const capture::TraceGate* gate) {
  ::clearenv();
  for (const auto& [name, value] : start.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  arguments.reserve(start.command.size() + 1);
  for (const std::string& word : start.command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  write_file("/proc/self/oom_score_adj", "0");  // the agent's is lower
  set_priority(start);
  set_limits(start.limits);
  netns::set_mark(start.mark);
  if (gate != nullptr) gate->install();
  if (start.has_terminal)
    base::check("get a controlling terminal", ::ioctl(STDIN_FILENO, TIOCSCTTY, 0));
  netns::drop_privileges({start.privileges, start.user_namespaces});
  if (start.user) become(*start.user);
  if (!start.folder.empty())
    base::check("change to the folder " + start.folder, ::chdir(start.folder.c_str()));
  // Unlike execv(3), execvp(3) gives a file of an unknown format to sh(1).
  if (start.command[0].find('/') != std::string::npos)
    ::execv(arguments[0], arguments.data());
  else
    ::execvp(arguments[0], arguments.data());
  throw base::SystemError("run " + start.command[0], errno);
}

}  // namespace

void become_program(const ProgramStart& start, const std::map<int, int>& descriptors,
                    int error_pipe, capture::TraceGate* gate) {
  const int highest = descriptors.empty() ? 2 : std::max(2, descriptors.rbegin()->first);
  error_pipe = duplicate_above(error_pipe, highest);
  try {
    if (gate != nullptr) gate->wait();
    netns::restore_signals();
    ::setsid();
    arrange(descriptors, highest, error_pipe);
    execute(start, gate);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    [[maybe_unused]] const ssize_t written = ::write(error_pipe, text.data(), text.size());
  }
  ::_exit(127);
}

}  // namespace tcplab::uml
