#include "base/spool.hh"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.hh"

namespace tcplab::base {

namespace {

void copy(int from, int to) {
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got == 0) return;
    if (got == -1 && errno == EINTR) continue;
    if (got == -1) throw SystemError("read the capture", errno);
    for (ssize_t written = 0; written < got;) {
      const ssize_t count = ::write(to, buffer + written, static_cast<std::size_t>(got - written));
      if (count == -1) throw SystemError("copy the capture to memory", errno);
      written += count;
    }
  }
}

}  // namespace

Spool::Spool(const std::string& file) {
  if (file != "-" && std::filesystem::is_regular_file(file)) return;
  if (file == "-" && ::isatty(STDIN_FILENO) == 1) return;  // opening it says what to do
  const FileDescriptor input(file == "-" ? ::dup(STDIN_FILENO)
                                         : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input) throw UsageError("cannot read the capture " + file + ": " + std::strerror(errno));
  copy_ = FileDescriptor(::memfd_create("capture", MFD_CLOEXEC));
  if (!copy_) throw SystemError("make a file in memory", errno);
  copy(input.get(), copy_.get());
  name_ = "/proc/self/fd/" + std::to_string(copy_.get());
}

}  // namespace tcplab::base
