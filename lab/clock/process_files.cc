#include "lab/clock/process_files.hh"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tcplab::lab {

namespace {

using Block = std::array<char, 4096>;

base::FileDescriptor open_file(const std::string& path) {
  return base::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

/// Returns the text of a small file; empty if its thread has ended.
std::string_view read_file(const base::FileDescriptor& file, Block& into) {
  const ssize_t size = file ? ::pread(file.get(), into.data(), into.size(), 0) : -1;
  return {into.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// Reads the text of a stat file (proc_pid_stat(5)): "7 (name) S ...".
bool is_asleep(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string_view::npos && stat.substr(name_end + 1, 2) == " S";
}

}  // namespace

ProcessFiles::ProcessFiles(pid_t process) : process_(process) {
  const std::string tasks = "/proc/" + std::to_string(process) + "/task/";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), ::closedir);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    const std::string task = tasks + entry->d_name;
    threads_.push_back({.thread = std::atoi(entry->d_name),
                        .status = open_file(task + "/status"),
                        .call = open_file(task + "/syscall"),
                        .state = open_file(task + "/stat"),
                        .times = open_file(task + "/schedstat")});
  }
}

/// A thread whose times are the same has not run since. So if it sleeps, it sleeps on. A kernel
/// without such times (CONFIG_SCHED_INFO) has no file, or zeros.
std::optional<ThreadLook> ProcessFiles::look_at(ThreadFiles& files) {
  Block block{};
  std::string times(read_file(files.times, block));
  if (!times.empty() && times == files.known_times && is_asleep(read_file(files.state, block)))
    return files.known;
  files.known_times.clear();
  auto thread = parse_thread_status(read_file(files.status, block));
  if (!thread || !thread->sleeps) return thread;
  add_call(*thread, read_file(files.call, block));
  files.known = *thread;
  if (thread->wait != Wait::none && !times.starts_with("0 0 0"))
    files.known_times = std::move(times);
  return thread;
}

ProcessLook ProcessFiles::look() {
  ProcessLook look;
  for (ThreadFiles& files : threads_) {
    const auto thread = look_at(files);
    if (!thread) continue;
    if (files.thread == process_) look.own_id = thread->own_id;
    look.threads.push_back(*thread);
    if (!thread->sleeps) break;
  }
  return look;
}

std::int64_t newest_process() {
  Block block{};
  const std::string_view text = read_file(open_file("/proc/loadavg"), block);
  return std::atoll(std::string(text.substr(text.find_last_of(' ') + 1)).c_str());
}

}  // namespace tcplab::lab
