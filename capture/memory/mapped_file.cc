#include "capture/memory/mapped_file.hh"

#include <fcntl.h>
#include <sys/stat.h>

namespace tcplab::capture {

base::FileDescriptor open_mapped(const std::string& path) {
  base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return file;
}

}  // namespace tcplab::capture
