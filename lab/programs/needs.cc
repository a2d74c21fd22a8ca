#include "lab/programs/needs.hh"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.hh"
#include "base/kernel_version.hh"
#include "base/split.hh"
#include "capture/kernel/kernel_trace.hh"
#include "netns/subordinate_ids.hh"

namespace tcplab::lab {

namespace {

bool outer_root() {
  // In the run's user namespace every user is 0. The map has the user outside.
  std::FILE* map = std::fopen("/proc/self/uid_map", "re");
  if (map == nullptr) return ::geteuid() == 0;
  unsigned inside = 0;
  unsigned outside = 1;
  const int fields = std::fscanf(map, "%u %u", &inside, &outside);
  std::fclose(map);
  return fields == 2 && outside == 0;
}

bool is_at_least(const std::string& release, const std::string& wanted) {
  const auto version = base::parse_kernel_version(wanted);
  if (!version)
    throw base::UsageError("the need \"kernel " + wanted + "\" has no version like 6.15");
  return base::version_of_release(release) >= *version;
}

std::optional<std::string> missing_trace(const KernelChoice& on) {
  if (on.is_own() && on.has_tracepoints) return std::nullopt;
  if (on.is_own()) return "it needs tracepoints, which Linux " + on.release + " lacks";
  try {
    const capture::KernelTrace trace;
    return std::nullopt;
  } catch (const capture::CannotTrace& error) {
    return "it needs tracepoints: " + std::string(error.what());
  }
}

}  // namespace

Skip lacks_kernel_tcp(const std::string& what, const std::string& host, const std::string& stack) {
  return Skip(what + " needs the TCP of a kernel; " + host + " has the TCP stack " + stack);
}

void require_kernel_tcp(const netns::Machine& machine, const std::string& what) {
  if (machine.config().is_peer)
    throw base::UsageError(what + " needs a kernel, and " + machine.config().name +
                           " is a peer: the script sends its segments");
  const std::string stack = machine.own_stack();
  if (!stack.empty()) throw lacks_kernel_tcp(what, machine.config().name, stack);
}

std::string running_release() {
  utsname system{};
  ::uname(&system);
  return static_cast<const char*>(system.release);
}

std::optional<std::string> missing_user(const netns::ProgramUser& user) {
  std::uint64_t highest = std::max<std::uint64_t>(user.user, user.group);
  for (const gid_t group : user.groups) highest = std::max<std::uint64_t>(highest, group);
  if (highest < netns::mapped_users()) return std::nullopt;
  return "it needs root, or subordinate ids (see tcplab doctor)";
}

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return ::access(program.c_str(), X_OK) == 0 ? program : "";
  const char* path = std::getenv("PATH");
  // Network tools are in sbin, which is not in an ordinary user's PATH; in a host every user may
  // run them.
  const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (const std::string& folder : base::split(folders + ":/usr/sbin:/sbin", ':')) {
    std::string candidate = folder + "/" + program;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string needed_sysctl(const std::string& need) {
  static const std::string kKind = "sysctl ";
  return need.starts_with(kKind) ? need.substr(kKind.size()) : "";
}

std::optional<std::string> missing_need(const std::string& need, const KernelChoice& on) {
  std::istringstream words(need);
  std::string kind;
  std::string what;
  words >> kind >> what;
  if (kind == "root") {
    if (outer_root()) return std::nullopt;
    return "it needs root";
  }
  if (need == kTracepointsNeed) return missing_trace(on);
  if (kind == "kernel") {
    if (is_at_least(on.is_own() ? on.release : running_release(), what)) return std::nullopt;
    return "it needs Linux " + what + " or newer";
  }
  if (kind == "program" && !what.empty()) {
    if (!find_program(what).empty()) return std::nullopt;
    return "it needs the program " + what + ", which is not installed";
  }
  if (kind == "sysctl" && !what.empty()) {
    std::ranges::replace(what, '.', '/');
    if (on.is_own() || std::filesystem::exists("/proc/sys/" + what)) return std::nullopt;
    return "it needs the sysctl " + need.substr(need.find(' ') + 1) + ", which this kernel lacks";
  }
  throw base::UsageError("a scenario cannot need \"" + need +
                         "\"; it can need \"root\", \"tracepoints\", \"kernel 6.15\", "
                         "\"program tcpdump\" or \"sysctl net.ipv4.tcp_rto_max_ms\"");
}

}  // namespace tcplab::lab
