#include "netns/view/boot.hh"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fstream>

#include "base/error.hh"

// glibc before 2.32 lacks it.
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

namespace tcplab::netns {

using base::FileDescriptor;

namespace {

/// Returns the line of timens_offsets that turns this time into 0. The nanoseconds are never
/// negative.
std::string offset_line(const timespec& start) {
  constexpr long kSecond = 1'000'000'000;
  const bool is_whole = start.tv_nsec == 0;
  return fmt::format("boottime -{} {}", start.tv_sec + (is_whole ? 0 : 1),
                     is_whole ? 0 : kSecond - start.tv_nsec);
}

/// Returns false if the kernel or a container does not allow the offset.
bool write_offset(const timespec& start) {
  const std::string line = offset_line(start);
  const FileDescriptor file(open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace

timespec boot_time() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return now;
}

FileDescriptor begin_uptime(const timespec& start) {
  if (unshare(CLONE_NEWTIME) == -1 || !write_offset(start)) return FileDescriptor();
  return FileDescriptor(open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC));
}

void enter_uptime(int time_namespace) {
  if (time_namespace < 0) return;
  base::check("enter the host's time namespace", setns(time_namespace, CLONE_NEWTIME));
}

std::string new_boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/uuid") >> id;
  return id;
}

}  // namespace tcplab::netns
