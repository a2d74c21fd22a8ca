#include "capture/stacks/perf_map.hh"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "capture/memory/mapped_file.hh"
#include "capture/memory/process_image.hh"
#include "capture/proc/thread_in_call.hh"

namespace tcplab::capture {

namespace {

constexpr off_t kMostBytes = off_t{64} << 20;
constexpr std::size_t kLongestLine = 4096;

/// When a process was started, in seconds since 1970 (proc_pid_stat(5), starttime; proc_stat(5),
/// btime).
time_t start_of(pid_t process) {
  constexpr int kStartTime = 22;
  constexpr int kAfterName = 3;  // the name, in parentheses, may have spaces
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string word;
  for (int i = kAfterName; i <= kStartTime; ++i) words >> word;
  const auto ticks = std::strtoll(word.c_str(), nullptr, 10);
  std::ifstream machine("/proc/stat");
  while (machine >> word && word != "btime") continue;
  time_t booted = 0;
  machine >> booted;
  return booted + static_cast<time_t>(ticks / ::sysconf(_SC_CLK_TCK));
}

/// Opens the map that a process has written: in its own root folder, with the number that it sees.
/// If it has ended, the one in our /tmp. Ignores a file that neither the process's user nor root
/// owns, and one older than the process: numbers are used again.
base::FileDescriptor open_perf_map(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  struct stat owner {};
  const bool has_ended = ::stat(folder.c_str(), &owner) != 0;
  if (has_ended) owner.st_uid = ::geteuid();
  base::FileDescriptor file = open_mapped((has_ended ? "" : folder + "/root") + "/tmp/perf-" +
                                          std::to_string(own_thread_id(process, process)) + ".map");
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || status.st_size > kMostBytes) return {};
  // A process that we watched until it ended was started after us.
  const time_t started = start_of(has_ended ? ::getpid() : process);
  const bool is_trusted = status.st_uid == owner.st_uid || status.st_uid == 0;
  if (!is_trusted || status.st_mtime < started) return {};
  return file;
}

}  // namespace

void PerfMap::read_more() {
  const base::FileDescriptor file = open_perf_map(process_);
  if (!file) return;
  std::string part(std::size_t{64} << 10, '\0');
  std::string rest;  // of a line
  for (ssize_t size = 1; size > 0 && rest.size() <= kLongestLine;) {
    size = ::pread(file.get(), part.data(), part.size(), static_cast<off_t>(read_ + rest.size()));
    rest.append(part, 0, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1)
      add(rest.substr(begin, end - begin));
    rest.erase(0, begin);
    read_ += begin;
  }
}

/// "3ef414c0 398 LazyCompile:*fetch /srv/client.js:7": address and size in hexadecimal, and a name.
/// A later function may take the place of an earlier one.
void PerfMap::add(const std::string& line) {
  std::istringstream words(line);
  std::uint64_t start = 0;
  Function function{};
  words >> std::hex >> start >> function.size;
  if (words && std::getline(words >> std::ws, function.name))
    functions_[start] = std::move(function);
}

std::optional<std::string> PerfMap::name(std::uint64_t address) {
  read_more();
  auto after = functions_.upper_bound(address);
  if (after == functions_.begin()) return std::nullopt;
  const auto& [start, function] = *--after;
  if (address - start >= function.size) return std::nullopt;
  return function.name;
}

}  // namespace tcplab::capture
