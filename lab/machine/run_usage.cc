#include "lab/machine/run_usage.hh"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kKibibyte = 1024;
constexpr std::string_view kInitName = "tcplab-";  // of the init of a host (netns/host_init)

/// Reads a file of /proc; empty if the process has ended, or belongs to somebody else.
std::string read_proc(const std::string& path) {
  std::string text;
  std::array<char, 4096> part;
  const base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ssize_t size = 0;
  while (file && (size = ::read(file.get(), part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  const std::size_t digits = text.find_first_not_of(" \t");
  if (digits != std::string_view::npos)
    std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number;
}

/// Returns the number after "Threads:" in a file of such lines; 0 if it has none.
std::uint64_t field(std::string_view text, std::string_view name) {
  const std::size_t found = text.find(name);
  return found == std::string_view::npos ? 0 : number_at(text.substr(found + name.size()));
}

std::uint64_t sum_of(std::string_view text, std::initializer_list<std::string_view> names) {
  std::uint64_t sum = 0;
  for (const std::string_view name : names) sum += field(text, name);
  return sum * kKibibyte;
}

/// Returns a process's part of its memory, if it shares pages with others; `otherwise` if that
/// cannot be read; nothing if it has ended. Files of programs that are mapped into memory do not
/// count: the kernel can drop these pages.
std::optional<std::uint64_t> exact_memory(pid_t process, std::uint64_t otherwise) {
  errno = 0;
  const std::string shares = read_proc(fmt::format("/proc/{}/smaps_rollup", process));
  // A zombie has no memory (ESRCH).
  if (shares.empty() && (errno == ESRCH || errno == ENOENT)) return std::nullopt;
  return shares.empty() ? otherwise : sum_of(shares, {"\nPss_Anon:", "\nPss_Shmem:", "\nSwapPss:"});
}

/// Returns the size of all files in the private folders of a host: they are one tmpfs. Zero if it
/// is one of `seen`, or the machine's own. Adds it to `seen`.
std::uint64_t files_of(pid_t init, std::set<dev_t>& seen) {
  const std::string folder = fmt::format("/proc/{}/root/tmp", init);
  struct stat own {};
  struct stat status {};
  struct statfs room {};
  if (::stat("/tmp", &own) == 0) seen.insert(own.st_dev);
  if (::stat(folder.c_str(), &status) == -1 || ::statfs(folder.c_str(), &room) == -1 ||
      room.f_type != TMPFS_MAGIC || !seen.insert(status.st_dev).second)
    return 0;
  return (room.f_blocks - room.f_bfree) * static_cast<std::uint64_t>(room.f_bsize);
}

}  // namespace

ProcessTable::ProcessTable() {
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const auto pid = static_cast<pid_t>(number_at(entry.path().filename().native()));
    if (pid == 0) continue;
    const std::string status = read_proc(entry.path().native() + "/status");
    const std::uint64_t threads = field(status, "\nThreads:");
    if (threads == 0) continue;  // it has ended
    resident_[pid] = sum_of(status, {"\nVmRSS:", "\nVmSwap:"});
    by_parent_.emplace(static_cast<pid_t>(field(status, "\nPPid:")),
                       Process{.pid = pid,
                               .threads = threads,
                               .memory = sum_of(status, {"\nRssAnon:", "\nRssShmem:", "\nVmSwap:"}),
                               .is_named_as_init = status.find(kInitName) < status.find('\n')});
  }
}

/// If a process ends during an exact look, those that are read later have its part of the pages
/// that they share, and the sum counts these twice. Then it looks again, at those that are left.
RunUsage ProcessTable::usage_of(pid_t run, Counting counting) const {
  constexpr int kMostLooks = 20;
  std::set<pid_t> ended;
  RunUsage usage;
  for (int i = 0; i < kMostLooks; ++i) {
    const std::size_t before = ended.size();
    usage = look_at(run, counting, ended);
    if (ended.size() == before) break;
  }
  return usage;
}

RunUsage ProcessTable::look_at(pid_t run, Counting counting, std::set<pid_t>& ended) const {
  RunUsage usage;
  if (const auto own = resident_.find(run); own != resident_.end()) usage.memory = own->second;
  std::set<dev_t> seen;
  std::vector<pid_t> waiting{run};
  while (!waiting.empty()) {
    const pid_t parent = waiting.back();
    waiting.pop_back();
    const auto [begin, end] = by_parent_.equal_range(parent);
    for (auto each = begin; each != end; ++each) {
      const Process& child = each->second;
      usage.processes += child.threads;
      std::optional<std::uint64_t> memory = child.memory;
      if (counting == Counting::exact && child.memory != 0)
        memory = exact_memory(child.pid, child.memory);
      if (!memory) ended.insert(child.pid);
      usage.program_memory += memory.value_or(0);
      if (parent == run && child.is_named_as_init)
        usage.program_memory += files_of(child.pid, seen);
      waiting.push_back(child.pid);
    }
  }
  return usage;
}

MachineUsage look_at_machine() {
  struct sysinfo now {};
  ::sysinfo(&now);
  // "0.20 0.18 0.12 1/80 11206": the number after the slash (proc_loadavg(5)). That of sysinfo(2)
  // has 16 bits.
  const std::string load = read_proc("/proc/loadavg");
  return {.processes = field(load, "/"),
          .memory = (now.totalram - now.freeram + now.totalswap - now.freeswap) * now.mem_unit};
}

}  // namespace tcplab::lab
