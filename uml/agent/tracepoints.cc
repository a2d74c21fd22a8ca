#include "uml/agent/tracepoints.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "netns/view/mount_table.hh"
#include "netns/view/mounts.hh"
#include "uml/agent/guest_system.hh"

namespace tcplab::uml {

namespace {

constexpr const char* kPlace = "/sys/kernel/tracing";
constexpr std::size_t kPage = 4096;

}  // namespace

std::vector<std::string> Tracepoints::record(const std::vector<netns::TracepointChoice>& choices) {
  const base::FileDescriptor mount = netns::mount_unseen("tracefs", kPlace);
  const std::string tracefs = netns::path_of(mount);
  write_file(tracefs + "/trace_clock", "mono");
  std::vector<std::string> formats;
  for (const netns::TracepointChoice& choice : choices) {
    const std::string folder = tracefs + "/events/" + choice.event;
    const bool is_there = ::access(folder.c_str(), F_OK) == 0;
    formats.push_back(is_there ? read_file(folder + "/format") : "");
    if (!is_there) continue;
    if (!choice.filter.empty()) write_file(folder + "/filter", choice.filter);
    write_file(folder + "/enable", "1");
  }
  const std::string pipe = tracefs + "/per_cpu/cpu0/trace_pipe_raw";
  pipe_ = base::FileDescriptor(
      base::check("open " + pipe, ::open(pipe.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
  return formats;
}

std::vector<std::vector<std::uint8_t>> Tracepoints::take() {
  std::vector<std::vector<std::uint8_t>> pages;
  while (pipe_) {
    std::vector<std::uint8_t> page(kPage);
    const ssize_t size = ::read(pipe_.get(), page.data(), page.size());
    if (size == 0 || (size == -1 && errno == EAGAIN)) break;
    page.resize(static_cast<std::size_t>(base::check("read the trace buffer", size)));
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace tcplab::uml
