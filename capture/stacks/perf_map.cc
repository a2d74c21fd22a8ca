#include "capture/stacks/perf_map.hh"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

namespace {

/// Where the process has its map: in its own root folder, and with the number that it sees. A file
/// of another user than its own, or ours if it has ended, is not believed, except root's.
std::string perf_map_path(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  struct stat owner {};
  const bool has_ended = ::stat(folder.c_str(), &owner) != 0;
  if (has_ended) owner.st_uid = ::geteuid();
  std::string path = (has_ended ? "" : folder + "/root") + "/tmp/perf-" +
                     std::to_string(own_thread_id(process, process)) + ".map";
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return "";
  return file.st_uid == owner.st_uid || file.st_uid == 0 ? path : "";
}

}  // namespace

void PerfMap::read_more() {
  const std::string path = perf_map_path(process_);
  if (path.empty()) return;
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(read_));
  // "3ef414c0 398 LazyCompile:*fetch /srv/client.js:7": address and size in hexadecimal, and a
  // name.
  for (std::string line; std::getline(file, line) && !file.eof(); read_ += line.size() + 1) {
    std::istringstream words(line);
    std::uint64_t start = 0;
    Function function{};
    words >> std::hex >> start >> function.size;
    if (!words || !std::getline(words >> std::ws, function.name)) continue;
    functions_[start] = std::move(function);  // a later function may take the place of an earlier
  }
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
