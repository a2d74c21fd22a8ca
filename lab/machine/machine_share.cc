#include "lab/machine/machine_share.hh"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "base/split.hh"

namespace tcplab::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kGroups = "/sys/fs/cgroup";

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns kUnlimited for "max", and if there is no such file.
std::uint64_t number_in(const fs::path& file) {
  std::uint64_t number = 0;
  std::ifstream stream(file);
  return stream >> number ? number : kUnlimited;
}

/// Returns the smallest limit of a control group and of those around it. In a container, the folder
/// may be that of the container's group, whatever the path says.
std::uint64_t smallest_limit(const fs::path& hierarchy, const std::string& group,
                             const std::string& file) {
  std::uint64_t smallest = number_in(hierarchy / file);
  fs::path folder = hierarchy;
  for (const fs::path& part : fs::path(group).relative_path())
    smallest = std::min(smallest, number_in((folder /= part) / file));
  return smallest;
}

/// Returns the limit in the first version of control groups or in the second, whichever is less.
std::uint64_t group_limit(const std::string& controller, const std::string& first,
                          const std::string& second) {
  const std::string groups = text_of("/proc/self/cgroup");
  return std::min(
      smallest_limit(fs::path(kGroups) / controller, control_group(groups, controller), first),
      smallest_limit(kGroups, control_group(groups, ""), second));
}

/// Reads proc_meminfo(5).
std::uint64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  const std::string name = "MemAvailable:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::stoull(line.substr(name.size())) << 10;
  return kUnlimited;
}

}  // namespace

std::string control_group(std::string_view text, std::string_view controller) {
  for (const std::string& line : base::split(text, '\n')) {  // "4:cpu,cpuacct:/path"
    std::istringstream fields(line);
    std::string number, controllers, path;
    std::getline(fields, number, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, path);
    if (controllers.empty() && controller.empty()) return path;
    const std::vector<std::string> names = base::split(controllers, ',');
    if (std::ranges::find(names, controller) != names.end()) return path;
  }
  return "";
}

std::uint64_t available_memory() {
  return std::min(free_memory(), group_limit("memory", "memory.limit_in_bytes", "memory.max"));
}

std::uint64_t possible_processes() {
  std::uint64_t most = group_limit("pids", "pids.max", "pids.max");
  for (const char* setting : {"pid_max", "threads-max"})
    most = std::min(most, number_in(fs::path("/proc/sys/kernel") / setting));
  rlimit own{};
  if (::getrlimit(RLIMIT_NPROC, &own) == 0) most = std::min<std::uint64_t>(most, own.rlim_cur);
  return most;
}

}  // namespace tcplab::lab
