#include "lab/record/capture_stream.hh"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

constexpr std::uint32_t kEnhancedPacket = 6;  // draft-ietf-opsawg-pcapng section 4.3
constexpr int kForEver = -1;

/// Every block begins with its type and its total length (section 3.1).
std::uint32_t word_at(std::span<const std::uint8_t> blocks, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, blocks.data() + at, sizeof word);
  return word;
}

}  // namespace

base::FileDescriptor open_capture_stream(const std::string& file) {
  if (file == "-" && ::isatty(STDOUT_FILENO) == 1)
    throw base::UsageError(
        "--pcapng - is for a program that reads captures: tcplab run ... --pcapng - | wireshark -k "
        "-i -");
  const int descriptor = file == "-"
                             ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                             : ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor == -1)
    throw base::UsageError("cannot write the capture to " + file + ": " + strerrordesc_np(errno));
  return base::FileDescriptor(descriptor);
}

void CaptureStream::interface(std::uint32_t number, const std::string& name) {
  nics_.push_back(name);
  const std::string host = name.substr(0, name.rfind('.'));
  if (!interface_ && (name == nic_ || host == nic_)) interface_ = number;
}

void CaptureStream::check_nic() const {
  if (nic_.empty() || interface_) return;
  throw base::UsageError("--nic " + nic_ + ": there is no such NIC; there are " +
                         boost::algorithm::join(nics_, ", "));
}

bool CaptureStream::is_wanted(std::span<const std::uint8_t> block) const {
  const bool is_packet = word_at(block, 0) == kEnhancedPacket;
  return !is_packet || nic_.empty() || word_at(block, 2 * sizeof(std::uint32_t)) == interface_;
}

void CaptureStream::take(std::span<const std::uint8_t> blocks) {
  while (!is_broken_ && !blocks.empty()) {
    const auto block = blocks.first(word_at(blocks, sizeof(std::uint32_t)));
    blocks = blocks.subspan(block.size());
    if (!is_wanted(block)) continue;
    const bool is_too_much = waiting_.size() - written_ + block.size() > limit_;
    if (is_too_much && word_at(block, 0) == kEnhancedPacket)
      ++left_out_;
    else
      waiting_.insert(waiting_.end(), block.begin(), block.end());
  }
  pump();
}

void CaptureStream::pump() {
  while (!is_broken_ && written_ < waiting_.size() && has_room(0)) write_some();
  if (written_ < waiting_.size() / 2) return;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(written_));
  written_ = 0;
}

void CaptureStream::finish() {
  while (!is_broken_ && written_ < waiting_.size() && has_room(kForEver)) write_some();
  if (left_out_ > 0)
    notice("the reader of the capture was too slow for " + std::to_string(left_out_) +
           " frames; capture.pcapng has them all");
}

bool CaptureStream::has_room(int patience) const {
  pollfd descriptor{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  int ready = 0;
  do ready = ::poll(&descriptor, 1, patience);
  while (ready == -1 && errno == EINTR);
  return ready == 1;
}

/// A pipe that has room takes PIPE_BUF bytes at once (pipe(7)): that never blocks, and the
/// descriptor, which may be shared with the shell, keeps its flags.
void CaptureStream::write_some() {
  const std::size_t size = std::min<std::size_t>(waiting_.size() - written_, PIPE_BUF);
  const ssize_t result = ::write(descriptor_, waiting_.data() + written_, size);
  if (result >= 0) {
    written_ += static_cast<std::size_t>(result);
  } else if (errno != EINTR && errno != EAGAIN) {
    is_broken_ = true;
    notice(errno == EPIPE ? "nobody reads the capture any more; the run goes on"
                          : "cannot write the capture any more: " + base::errno_name(errno) +
                                "; the run goes on");
  }
}

void CaptureStream::notice(const std::string& text) const {
  if (on_notice) on_notice(text);
}

}  // namespace tcplab::lab
