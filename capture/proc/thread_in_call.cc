#include "capture/proc/thread_in_call.hh"

#include <elf.h>
#include <linux/audit.h>
#include <poll.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "capture/calls/awaited_descriptors.hh"
#include "capture/calls/ptrace.hh"

namespace tcplab::capture {

std::uint32_t architecture_of(pid_t process) {
#if defined(__x86_64__)
  std::ifstream file("/proc/" + std::to_string(process) + "/exe", std::ios::binary);
  std::array<char, EI_CLASS + 1> header{};
  file.read(header.data(), header.size());
  return file && header[EI_CLASS] == ELFCLASS32 ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64;
#else
  static_cast<void>(process);
  return AUDIT_ARCH_AARCH64;
#endif
}

std::optional<CallStop> call_under_way(pid_t process, pid_t thread, std::uint32_t architecture,
                                       const std::string& text) {
  std::istringstream words(text);
  SyscallInfo info{};
  info.arch = architecture;
  std::int64_t number = -1;
  if (!(words >> number) || number < 0) return std::nullopt;
  info.entry.nr = static_cast<std::uint64_t>(number);
  for (auto& argument : info.entry.args) {
    std::string word;
    words >> word;
    argument = std::strtoull(word.c_str(), nullptr, 16);
  }
  CallStop stop = call_stop(process, thread, info);
  if (stop.call == nullptr) return std::nullopt;
  return stop;
}

ThreadPosition position_in_call(pid_t thread, const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
  if (all.size() < 2) return {.thread = thread};
  return {.thread = thread,
          .program_counter = std::strtoull(all.back().c_str(), nullptr, 16),
          .stack_pointer = std::strtoull(all[all.size() - 2].c_str(), nullptr, 16)};
}

pid_t own_thread_id(pid_t process, pid_t thread) {
  std::ifstream status("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) +
                       "/status");
  constexpr std::string_view kIds = "NSpid:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(kIds)) continue;
    std::istringstream numbers(line.substr(kIds.size()));
    for (pid_t id = 0; numbers >> id;) thread = id;  // the innermost is the last
  }
  return thread;
}

std::map<int, int> watched_by_epoll(pid_t process, int epoll) {
  std::map<int, int> watched;
  std::ifstream lines("/proc/" + std::to_string(process) + "/fdinfo/" + std::to_string(epoll));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string events;
    unsigned int mask = 0;
    int descriptor = -1;
    if (words >> name >> descriptor >> events >> std::hex >> mask && name == "tfd:")
      watched[descriptor] |= static_cast<int>(mask & (POLLIN | POLLOUT));
  }
  return watched;
}

std::map<int, int> descriptors_of_wait(const CallStop& stop) {
  if (is_epoll_wait(stop.call->kind))
    return watched_by_epoll(stop.process, static_cast<int>(stop.arguments[0]));
  return waits_for_several(stop.call->kind) ? awaited(stop) : std::map<int, int>{};
}

}  // namespace tcplab::capture
