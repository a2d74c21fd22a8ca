#include "uml/agent/tracepoints.hh"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "uml/agent/guest_system.hh"

namespace tcplab::uml {

namespace {

const std::string kTracefs = "/sys/kernel/tracing";
constexpr std::size_t kPage = 4096;

}  // namespace

std::vector<std::string> Tracepoints::record(const std::vector<netns::TracepointChoice>& choices) {
  base::check("mount tracefs", ::mount("none", kTracefs.c_str(), "tracefs", 0, nullptr));
  write_file(kTracefs + "/trace_clock", "mono");
  std::vector<std::string> formats;
  for (const netns::TracepointChoice& choice : choices) {
    const std::string folder = kTracefs + "/events/" + choice.event;
    const bool is_there = ::access(folder.c_str(), F_OK) == 0;
    formats.push_back(is_there ? read_file(folder + "/format") : "");
    if (!is_there) continue;
    if (!choice.filter.empty()) write_file(folder + "/filter", choice.filter);
    write_file(folder + "/enable", "1");
  }
  const std::string pipe = kTracefs + "/per_cpu/cpu0/trace_pipe_raw";
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
