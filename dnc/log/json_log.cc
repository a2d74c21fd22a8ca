#include "dnc/log/json_log.hh"

#include <unistd.h>

#include <charconv>
#include <cstring>

#include "base/error.hh"
#include "dnc/calls/escape.hh"

namespace tcplab::dnc {

JsonLog::JsonLog(EventOutput output) : output_(output), pid_(::getpid()) {}

void JsonLog::enter(const CallRecord& record) {
  head(record, record.entered, "enter");
  line_ends();
}

void JsonLog::leave(const CallRecord& record) {
  head(record, record.returned, "return");
  number(",\"entered\":", base::to_nanoseconds(record.entered));
  answer(record);
  // What goes to standard output has just been shown: it was read from the socket.
  if (record.fd != STDOUT_FILENO) data(record.data);
  connection(record);
  line_ends();
}

void JsonLog::head(const CallRecord& record, base::Instant at, std::string_view phase) {
  number("{\"kind\":\"call\",\"t\":", base::to_nanoseconds(at));
  number(",\"pid\":", pid_);
  number(",\"id\":", static_cast<std::int64_t>(record.id));
  text(",\"phase\":\"", phase);
  text(",\"call\":\"", record.call);
  if (record.fd >= 0) number(",\"fd\":", record.fd);
  if (!record.arguments.view().empty()) text(",\"args\":\"", record.arguments.view());
}

void JsonLog::answer(const CallRecord& record) {
  number(",\"result\":", record.result);
  if (record.failed()) text(",\"errno\":\"", base::errno_name(record.error));
  if (record.option) text(",\"value\":\"", base::errno_name(*record.option));
  ArgumentText names;
  if (record.revents != 0) text(",\"revents\":\"", poll_events(record.revents, names));
  if (record.stdin_revents != 0)
    text(",\"stdin_revents\":\"", poll_events(record.stdin_revents, names));
}

void JsonLog::connection(const CallRecord& record) {
  if (!record.remote) return;  // a listener's own address is no connection
  if (record.local) text(",\"local\":\"", record.local->to_string());
  text(",\"remote\":\"", record.remote->to_string());
}

void JsonLog::data(std::string_view bytes) {
  if (bytes.empty()) return;
  put(",\"data\":\"");
  for (const char byte : bytes.substr(0, kBytesShown)) {
    const Spelling& spelling = json_spelling(static_cast<unsigned char>(byte));
    std::memcpy(buffer_.data() + size_, spelling.text.data(), spelling.text.size());
    size_ += spelling.size;
  }
  put("\"");
}

// The key comes with its punctuation up to the opening quote. The value needs no escaping: it is
// a name, an address, or an argument, which the calls build without quotes and backslashes.
void JsonLog::text(std::string_view key, std::string_view value) {
  put(key);
  put(value);
  put("\"");
}

void JsonLog::number(std::string_view key, std::int64_t value) {
  put(key);
  const auto end =
      std::to_chars(buffer_.data() + size_, buffer_.data() + buffer_.size(), value).ptr;
  size_ = static_cast<std::size_t>(end - buffer_.data());
}

void JsonLog::put(std::string_view bytes) {
  std::memcpy(buffer_.data() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void JsonLog::line_ends() {
  put("}\n");
  if (buffer_.size() - size_ < kLongestLine) flush_buffer();
}

void JsonLog::flush_buffer() {
  if (size_ > 0) output_.write({buffer_.data(), size_});
  size_ = 0;
}

}  // namespace tcplab::dnc
