#include "capture/files/capture_input.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hh"
#include "capture/files/pcapng_format.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMinBlock = 12;
// Host names and keys can come before the first packet. Beyond this size we stop looking.
constexpr std::size_t kMaxHead = std::size_t{1} << 20;

base::FileDescriptor open_input(const std::string& file) {
  if (file == "-" && ::isatty(STDIN_FILENO) == 1)
    throw base::UsageError(
        "cannot read a capture from a terminal; pipe one in: tcpdump -w - | tcplab explain -");
  base::FileDescriptor input(file == "-" ? ::dup(STDIN_FILENO)
                                         : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input)
    throw base::UsageError("cannot read the capture " + file + ": " + std::strerror(errno));
  return input;
}

long read_some(int file, char* buffer, std::size_t size) {
  long got = -1;
  do got = ::read(file, buffer, size);
  while (got == -1 && errno == EINTR);
  return got;
}

ssize_t read_on(void* input, char* buffer, std::size_t size) {
  return static_cast<CaptureInput*>(input)->read(buffer, size);
}

int close_input(void* input) {
  delete static_cast<CaptureInput*>(input);
  return 0;
}

}  // namespace

CaptureInput::CaptureInput(const std::string& file) : file_(open_input(file)) { detect_gzip(); }

void CaptureInput::detect_gzip() {
  constexpr std::size_t kMagic = 2;
  if (!read_ahead(kMagic) || !GzipInput::is_gzip(head_.data(), head_.size())) return;
  gzip_ =
      std::make_unique<GzipInput>([begin = std::move(head_), is_begun = false, file = file_.get()](
                                      char* buffer, std::size_t size) mutable -> long {
        if (is_begun) return read_some(file, buffer, size);
        is_begun = true;
        std::memcpy(buffer, begin.data(), begin.size());
        return static_cast<long>(begin.size());
      });
  head_.clear();
}

long CaptureInput::read_input(char* buffer, std::size_t size) {
  return gzip_ ? gzip_->read(buffer, size) : read_some(file_.get(), buffer, size);
}

long CaptureInput::read(char* buffer, std::size_t size) {
  if (head_position_ == head_.size()) return read_input(buffer, size);
  const std::size_t count = std::min(size, head_.size() - head_position_);
  std::memcpy(buffer, head_.data() + head_position_, count);
  head_position_ += count;
  return static_cast<long>(count);
}

bool CaptureInput::read_ahead(std::size_t size) {
  if (size > kMaxHead) return false;
  while (head_.size() < size) {
    char more[4096];
    const long got = read_input(more, std::min(sizeof more, size - head_.size()));
    if (got <= 0) return false;
    head_.insert(head_.end(), more, more + got);
  }
  return true;
}

std::uint32_t CaptureInput::number_at(std::size_t at) const {
  std::uint32_t number = 0;
  std::memcpy(&number, head_.data() + at, sizeof number);
  return is_swapped_ ? __builtin_bswap32(number) : number;
}

bool CaptureInput::is_pcapng() {
  return read_ahead(kMinBlock) &&
         number_at(0) == pcapng::kSectionHeader;  // the same in either byte order
}

bool CaptureInput::has_several_interfaces() {
  if (!is_pcapng()) return false;
  is_swapped_ = number_at(8) != pcapng::kByteOrderMagic;
  int interfaces = 0;
  // Blocks of other types, such as name resolution, may come between interfaces. A packet ends the
  // list of interfaces.
  for (std::size_t at = 0; read_ahead(at + 8); at += number_at(at + 4)) {
    const std::uint32_t type = number_at(at);
    if (number_at(at + 4) < kMinBlock || type == pcapng::kSimplePacket ||
        type == pcapng::kEnhancedPacket)
      break;
    if (type == pcapng::kInterfaceDescription && ++interfaces > 1) return true;
  }
  return false;
}

std::FILE* CaptureInput::stream(std::unique_ptr<CaptureInput> input) {
  const cookie_io_functions_t functions{
      .read = read_on, .write = nullptr, .seek = nullptr, .close = close_input};
  std::FILE* stream = ::fopencookie(input.get(), "r", functions);
  if (stream == nullptr) throw base::SystemError("open a stream", errno);
  [[maybe_unused]] const CaptureInput* owned = input.release();  // close_input() deletes it
  return stream;
}

}  // namespace tcplab::capture
