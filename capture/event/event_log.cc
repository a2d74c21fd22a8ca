#include "capture/event/event_log.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hh"
#include "base/output_file.hh"
#include "capture/event/event_json.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kFlushSize = std::size_t{1} << 16;
constexpr std::size_t kBlockSize = std::size_t{1} << 16;
constexpr std::size_t kLongestLine = std::size_t{1} << 24;  // of any event; a foreign file's may be

constexpr std::string_view kFormatKey = "\"format\"";

/// Allows blanks between JSON's tokens (RFC 8259 section 2): another program may have rewritten the
/// line.
bool says_format(std::string_view line) {
  const auto skip = [&line](std::size_t count) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r", count), line.size()));
  };
  for (auto at = line.find(kFormatKey); at != std::string_view::npos; at = line.find(kFormatKey)) {
    skip(at + kFormatKey.size());
    if (!line.starts_with(':')) continue;
    skip(1);
    if (line.starts_with('"' + std::string(kEventFormat) + '"')) return true;
  }
  return false;
}

}  // namespace

EventLog::EventLog(std::string file) : file_(std::move(file)) {
  descriptor_ = base::make_output_file(file_);
}

void EventLog::append(const Event& event) {
  append_json(pending_, event);
  pending_ += '\n';
  if (pending_.size() >= kFlushSize) flush();
}

void EventLog::flush() {
  std::size_t written = 0;
  while (written < pending_.size()) {
    const ssize_t size =
        ::write(descriptor_.get(), pending_.data() + written, pending_.size() - written);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) {
      const int error = errno;
      give_up(written);
      throw base::SystemError("write " + file_, error);
    }
    written += static_cast<std::size_t>(size);
  }
  size_ += pending_.size();
  pending_.clear();
}

// Removes a line that was written in part, because it would spoil later lines if there is room
// again. Drops the pending events, so that a later flush does not fail again.
void EventLog::give_up(std::size_t written) {
  const auto end = pending_.substr(0, written).rfind('\n');
  size_ += end == std::string::npos ? 0 : end + 1;
  pending_.clear();
  // Best effort: a pipe or a device cannot be shortened. Readers accept a last line that is cut
  // off.
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(size_)) != 0) return;
}

EventReader::EventReader(std::string file) : file_(std::move(file)) {
  descriptor_ = base::FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor_) throw base::UsageError("cannot read " + file_ + ": " + strerrordesc_np(errno));
  const std::string format = std::string(kFormatKey) + ":\"" + std::string(kEventFormat) + '"';
  is_peeked_ = read_line();
  if (!is_peeked_) refuse("not a tcplab events file: it is empty");
  if (!says_format(line_))
    refuse("not a tcplab events file: it does not begin with a run event that says " + format);
}

void EventReader::refuse(const std::string& why) const {
  const std::uint64_t line = std::max<std::uint64_t>(number_, 1);
  throw base::UsageError(file_ + ":" + std::to_string(line) + ": " + why);
}

/// Adds a block of the file to the buffer; false at its end.
bool EventReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size();
  if (before > kLongestLine) refuse("not a tcplab events file: a line does not end");
  buffer_.resize(before + kBlockSize);
  ssize_t size = 0;
  do {
    size = ::read(descriptor_.get(), buffer_.data() + before, kBlockSize);
  } while (size == -1 && errno == EINTR);
  const int error = errno;
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (size == -1) refuse(std::string("cannot read on: ") + strerrordesc_np(error));
  return size > 0;
}

bool EventReader::read_line() {
  ++number_;
  std::size_t searched = 0;
  while (true) {
    const auto end = buffer_.find('\n', at_ + searched);
    is_cut_off_ = end == std::string::npos;
    if (!is_cut_off_) {
      line_ = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      return true;
    }
    searched = buffer_.size() - at_;
    if (!fill()) break;
  }
  line_ = buffer_;
  at_ = buffer_.size();
  return !line_.empty();
}

std::optional<Event> EventReader::next() {
  while (std::exchange(is_peeked_, false) || read_line()) {
    try {
      return parse_event(line_);
    } catch (const UnknownKind&) {
      continue;
    } catch (const base::UsageError& error) {
      truncated_ = is_cut_off_;
      if (!is_cut_off_) refuse(error.what());
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace tcplab::capture
