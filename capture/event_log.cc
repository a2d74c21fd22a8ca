#include "capture/event_log.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "capture/event_json.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kFlushSize = std::size_t{1} << 16;

}  // namespace

EventLog::EventLog(std::string file) : file_(std::move(file)) {
  const int descriptor =
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  descriptor_ = base::FileDescriptor(base::check("make " + file_, descriptor));
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
      pending_.clear();  // it is told once, and not again by whoever flushes on the way out
      throw base::SystemError("write " + file_, error);
    }
    written += static_cast<std::size_t>(size);
  }
  pending_.clear();
}

EventReader::EventReader(std::string file) : file_(std::move(file)), stream_(file_) {
  if (!stream_) throw base::UsageError(file_ + ": cannot read it: " + base::errno_name(errno));
  std::string first;
  std::getline(stream_, first);
  const std::string format = "\"format\":\"" + std::string(kEventFormat) + "\"";
  if (first.find(format) == std::string::npos) {
    throw base::UsageError(file_ + ":1: not a tcplab events file: the first line must be a run " +
                           "event with " + format);
  }
  stream_.seekg(0);
}

std::optional<Event> EventReader::next() {
  for (std::string line; std::getline(stream_, line);) {
    ++line_;
    const bool cut_off = stream_.eof();  // no newline ends it
    try {
      return parse_event(line);
    } catch (const UnknownKind&) {
      continue;
    } catch (const base::UsageError& error) {
      truncated_ = cut_off;
      if (cut_off) return std::nullopt;
      throw base::UsageError(file_ + ":" + std::to_string(line_) + ": " + error.what());
    }
  }
  return std::nullopt;
}

}  // namespace tcplab::capture
