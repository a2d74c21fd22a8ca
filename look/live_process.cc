#include "look/live_process.hh"

#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/calls/awaited_descriptors.hh"
#include "capture/calls/call_text.hh"
#include "capture/proc/thread_in_call.hh"
#include "capture/stacks/program_stack.hh"
#include "look/live_frames.hh"
#include "look/live_socket.hh"
#include "look/live_tasks.hh"

namespace tcplab::look {

namespace {

namespace fs = std::filesystem;
using capture::CallKind;
using capture::CallStop;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// The entries of a folder of /proc whose names are numbers.
std::vector<int> numbers_in(const std::string& folder) {
  std::vector<int> numbers;
  std::error_code error;
  // The process may end at each entry: then the list ends there.
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
      numbers.push_back(std::stoi(name));
  }
  std::ranges::sort(numbers);
  return numbers;
}

/// The words of the command line; the name in brackets of a process without one.
std::string command_of(pid_t process) {
  std::string words = content_of(folder_of(process) + "/cmdline");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  if (!words.empty()) return words;
  std::string name = content_of(folder_of(process) + "/comm");
  if (!name.empty()) name.pop_back();
  return "[" + name + "]";
}

std::string user_of(pid_t process) {
  struct stat status {};
  if (::stat(folder_of(process).c_str(), &status) != 0) return "";
  const passwd* user = ::getpwuid(status.st_uid);
  return user != nullptr ? user->pw_name : std::to_string(status.st_uid);
}

audit::Awaited awaited_by(const CallStop& stop) {
  if (stop.call->kind == CallKind::connect) return audit::Awaited::handshake;
  if (stop.call->kind == CallKind::accept) return audit::Awaited::client;
  return stop.call->direction == capture::DataDirection::send ? audit::Awaited::room
                                                              : audit::Awaited::data;
}

/// What poll(2) with these events waits for.
audit::Awaited awaited_by(int events) {
  const bool reads = (events & POLLIN) != 0;
  const bool writes = (events & POLLOUT) != 0;
  if (reads && writes) return audit::Awaited::any;
  if (reads) return audit::Awaited::data;
  return writes ? audit::Awaited::room : audit::Awaited::failure;
}

/// Fills in what the thread waits for, if that is a TCP connection.
void take_call(const CallStop& stop, const LookedProcess& process, LookedThread& thread) {
  const CallKind kind = stop.call->kind;
  const int first = static_cast<int>(stop.arguments[0]);
  const bool is_epoll = capture::is_epoll_wait(kind);
  const bool is_poll = capture::waits_for_several(kind);
  thread.call = stop.call->name;
  if (is_epoll || is_poll) {
    const auto waits = capture::descriptors_of_wait(stop);
    for (const auto& [descriptor, events] : waits) {
      if (process.connection(descriptor) == nullptr) continue;
      thread.descriptors.push_back(descriptor);
      thread.awaited.push_back(awaited_by(events));
    }
    if (thread.descriptors.empty()) return;
    thread.waits_for_several = true;
    thread.waits_for_others = waits.size() > thread.descriptors.size();
    thread.does = ThreadDoes::waits;
    thread.own_timeout = capture::timeout_argument(stop);
    thread.own_timeout_name = "its timeout";
    return;
  }
  const int other = static_cast<int>(stop.arguments[2]);
  const bool is_of_other = kind == CallKind::splice && process.connection(first) == nullptr;
  const int descriptor = is_of_other ? other : first;
  const LookedConnection* connection = process.connection(descriptor);
  if (connection == nullptr) return;
  thread.does = ThreadDoes::waits;
  thread.descriptors = {descriptor};
  thread.awaited = {awaited_by(stop)};
  thread.arguments = capture::argument_text(stop);
  const audit::TimeoutOptions& settings = connection->settings;
  const bool sends = thread.awaited.front() == audit::Awaited::room ||
                     thread.awaited.front() == audit::Awaited::handshake;
  const auto& timeout = sends ? settings.send_timeout : settings.receive_timeout;
  if (timeout && timeout->count() > 0) {
    thread.own_timeout = timeout;
    thread.own_timeout_name = sends ? "SO_SNDTIMEO" : "SO_RCVTIMEO";
  }
}

/// A thread that runs an event loop waits in it for the descriptors of all tasks. Leaves those
/// that tasks are known to wait for to them.
void leave_to_tasks(const LookedProcess& process, LookedThread& thread) {
  const auto count = thread.descriptors.size();
  for (std::size_t i = count; i-- > 0;) {
    const auto waits = [descriptor = thread.descriptors[i]](const LookedTask& task) {
      return task.descriptor == descriptor;
    };
    if (std::ranges::none_of(process.tasks, waits)) continue;
    thread.descriptors.erase(thread.descriptors.begin() + static_cast<std::ptrdiff_t>(i));
    thread.awaited.erase(thread.awaited.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (count > 0 && thread.descriptors.empty())
    thread = {.id = thread.id, .name = thread.name, .does = ThreadDoes::polls, .call = thread.call};
}

/// What changes when a thread has run and waits again: the numbers of its context switches.
std::string waits_since(const std::string& folder) {
  const std::string status = content_of(folder + "/status");
  const std::size_t at = status.find("voluntary_ctxt_switches:");
  return at == std::string::npos ? "" : status.substr(at);
}

/// Whether a thread is in a stop of ptrace(2): "t" in proc_pid_stat(5). The kernel then shows its
/// last call, also if that has returned.
bool is_held_by_tracer(const std::string& folder) {
  const std::string stat = content_of(folder + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 3, ") t") == 0;
}

/// Returns the frames of a thread in a system call; none if it has run meanwhile, as they may be of
/// two moments then. `since` and `text` are from before.
std::vector<std::string> frames_of(const capture::ThreadPosition& position,
                                   const std::string& folder, const std::string& since,
                                   const std::string& text, LiveFrames& frames) {
  std::vector<std::string> found = frames.of(position);
  if (waits_since(folder) != since || content_of(folder + "/syscall") != text) found.clear();
  return found;
}

LookedThread look_at_thread(const LookedProcess& process, pid_t id, std::uint32_t architecture,
                            LiveFrames* frames, const LookScope& scope) {
  const std::string folder = folder_of(process.id) + "/task/" + std::to_string(id);
  LookedThread thread{.id = id, .name = content_of(folder + "/comm")};
  if (!thread.name.empty()) thread.name.pop_back();
  const std::string since = waits_since(folder);
  const std::string text = content_of(folder + "/syscall");
  const auto take_frames = [&](const capture::ThreadPosition& position) {
    thread.frames = frames_of(position, folder, since, text, *frames);
  };
  const bool is_wanted = frames != nullptr && scope.has_all_frames && id != scope.without_frames;
  if (text.empty()) {
    thread.does = ThreadDoes::may_not_look;
  } else if (text.starts_with("running")) {
    thread.does = ThreadDoes::runs;
  } else if (is_held_by_tracer(folder) && id != scope.interrupted) {
    thread.does = ThreadDoes::other;
    if (is_wanted) take_frames(capture::position_in_call(id, text));
  } else if (const auto stop = capture::call_under_way(process.id, id, architecture, text)) {
    take_call(*stop, process, thread);
    if (frames == nullptr || (thread.does != ThreadDoes::waits && !is_wanted)) return thread;
    const capture::ThreadPosition position = capture::position_in_call(id, text);
    if (capture::is_epoll_wait(stop->call->kind) && frames->polls(position))
      return {.id = id, .name = thread.name, .does = ThreadDoes::polls, .call = thread.call};
    if (thread.waits_for_several) leave_to_tasks(process, thread);
    if (thread.does == ThreadDoes::waits || is_wanted) take_frames(position);
  } else if (is_wanted) {
    take_frames(capture::position_in_call(id, text));
  }
  return thread;
}

/// Why pidfd_getfd(2) refuses.
std::string refusal(int error) {
  if (error == EPERM)
    return "the kernel does not show its sockets to you (pidfd_getfd(2): EPERM); try as its user "
           "or as root, and see kernel.yama.ptrace_scope";
  return "the kernel does not show its sockets (pidfd_getfd(2): " + base::errno_name(error) + ")";
}

/// Several descriptors may be of one socket: dup(2).
void look_at_sockets(LookedProcess& process) {
  const base::FileDescriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process.id, 0)));
  if (!pidfd) return;
  std::map<std::string, std::size_t> known;  // by "socket:[4711]"
  const std::string folder = folder_of(process.id) + "/fd";
  for (const int descriptor : numbers_in(folder)) {
    std::error_code error;
    const std::string target =
        fs::read_symlink(folder + "/" + std::to_string(descriptor), error).string();
    if (!target.starts_with("socket:")) continue;
    if (const auto found = known.find(target); found != known.end()) {
      process.connections[found->second].descriptors.push_back(descriptor);
      continue;
    }
    const base::FileDescriptor copy(
        static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd.get(), descriptor, 0)));
    if (!copy) {
      if (errno == EPERM || errno == ENOSYS) process.hidden = refusal(errno);
      continue;  // it may have closed it
    }
    auto connection = look_at_socket(copy.get());
    if (!connection) continue;
    connection->descriptors = {descriptor};
    known[target] = process.connections.size();
    process.connections.push_back(std::move(*connection));
  }
}

bool has_own_network(pid_t process) {
  std::error_code error;
  const auto theirs = fs::read_symlink(folder_of(process) + "/ns/net", error);
  return !error && theirs != fs::read_symlink("/proc/self/ns/net", error);
}

/// The sysctls of the process's network namespace. Only a thread of ours enters it.
audit::KernelSettings kernel_settings_of(pid_t process) {
  if (!has_own_network(process)) return kernel_settings();
  audit::KernelSettings settings;
  std::thread([&] {
    const base::FileDescriptor network(
        ::open((folder_of(process) + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC));
    if (network && ::setns(network.get(), CLONE_NEWNET) == 0) settings = kernel_settings();
  }).join();
  return settings;
}

/// Throws unless it is a process that runs a program. The kernel shows that to everybody: the words
/// behind the name in proc_pid_stat(5) are the state and, as the seventh, flags.
void require_program(pid_t process, const std::string& command) {
  constexpr unsigned long kOfKernel = 0x00200000;  // PF_KTHREAD in include/linux/sched.h
  const std::string stat = content_of(folder_of(process) + "/stat");
  std::istringstream words(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string state;
  std::string other;
  unsigned long flags = 0;
  words >> state >> other >> other >> other >> other >> other >> flags;
  if ((flags & kOfKernel) != 0)
    throw base::UsageError(
        fmt::format("process {} {} is a thread of the kernel", process, command));
  if (state.empty() || state == "Z" || state == "X")
    throw base::UsageError(fmt::format("process {} has ended", process));
}

bool exists(pid_t process) { return fs::exists(folder_of(process)); }

/// `frames`: null to look at none.
LookedProcess look_at_with(pid_t process, LiveFrames* frames, const LookScope& scope) {
  const std::string name = std::to_string(process);
  if (!exists(process)) throw base::UsageError("there is no process " + name);
  LookedProcess looked{.id = process, .command = command_of(process), .user = user_of(process)};
  require_program(process, looked.command);
  const auto tasks = numbers_in(folder_of(process) + "/task");
  if (tasks.empty()) throw base::UsageError("process " + name + " has ended");
  std::error_code error;
  const fs::directory_iterator descriptors(folder_of(process) + "/fd", error);
  if (error)
    looked.hidden = "the kernel does not show its descriptors to you; try as its user or as root";
  look_at_sockets(looked);
  looked.kernel = kernel_settings_of(process);
  const std::uint32_t architecture = capture::architecture_of(process);
  if (frames != nullptr) take_tasks(*frames, looked);
  for (const pid_t id : tasks)
    looked.threads.push_back(look_at_thread(looked, id, architecture, frames, scope));
  if (frames == nullptr) return looked;
  looked.runtime = frames->runtime();
  const auto waits_for_unknown_tasks = [](const LookedThread& thread) {
    return thread.does == ThreadDoes::waits && thread.waits_for_several;
  };
  if (!looked.tasks.empty() && !frames->knows_tasks())
    looked.are_tasks_known = std::ranges::none_of(looked.threads, waits_for_unknown_tasks);
  return looked;
}

}  // namespace

LookedProcess look_at(pid_t process, const LookScope& scope) {
  LiveFrames frames(process);
  return look_at_with(process, &frames, scope);
}

LookedProcess look_at_calls(pid_t process) { return look_at_with(process, nullptr, {}); }

std::vector<pid_t> family_of(pid_t process) {
  std::vector<pid_t> family{process};
  for (std::size_t i = 0; i < family.size(); ++i) {
    const std::string tasks = folder_of(family[i]) + "/task";
    for (const pid_t thread : numbers_in(tasks)) {
      std::istringstream children(content_of(tasks + "/" + std::to_string(thread) + "/children"));
      for (pid_t child = 0; children >> child;) family.push_back(child);
    }
  }
  return family;
}

std::vector<pid_t> all_processes() { return numbers_in("/proc"); }

}  // namespace tcplab::look
