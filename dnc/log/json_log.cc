#include "dnc/log/json_log.hh"

#include <unistd.h>

#include <charconv>
#include <cstring>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::dnc {

JsonLog::JsonLog(EventOutput output) : output_(output), pid_(::getpid()) {}

void JsonLog::enter(const CallRecord& record) {
  begin_line(record, record.entered, "enter");
  end_line();
}

void JsonLog::leave(const CallRecord& record) {
  begin_line(record, record.returned, "return");
  put_number(",\"entered\":", base::to_nanoseconds(record.entered));
  put_result(record);
  // Data for standard output was just read from the socket, and logged then.
  if (record.fd != STDOUT_FILENO) put_data(record.data);
  put_connection(record);
  end_line();
}

void JsonLog::begin_line(const CallRecord& record, base::Instant at, std::string_view phase) {
  put_number("{\"kind\":\"call\",\"t\":", base::to_nanoseconds(at));
  put_number(",\"pid\":", pid_);
  put_number(",\"id\":", static_cast<std::int64_t>(record.id));
  put_text(",\"phase\":\"", phase);
  put_text(",\"call\":\"", record.call);
  if (record.fd >= 0) put_number(",\"fd\":", record.fd);
  if (record.source_fd >= 0) put_number(",\"source_fd\":", record.source_fd);
  if (!record.arguments.view().empty()) put_text(",\"args\":\"", record.arguments.view());
}

void JsonLog::put_result(const CallRecord& record) {
  put_number(",\"result\":", record.result);
  if (record.failed()) put_text(",\"errno\":\"", base::errno_name(record.error));
  put_value(record);
  ArgumentText names;
  if (record.revents != 0) put_text(",\"revents\":\"", poll_events(record.revents, names));
  if (record.stdin_revents != 0)
    put_text(",\"stdin_revents\":\"", poll_events(record.stdin_revents, names));
}

void JsonLog::put_value(const CallRecord& record) {
  if (record.option && *record.option != 0)
    return put_text(",\"value\":\"", base::errno_name(*record.option));
  if (record.option) return put_number(",\"value\":", 0);
  if (record.stored.number) return put_number(",\"value\":", *record.stored.number);
  if (!record.stored.name.empty()) return put_text(",\"value\":\"", record.stored.name);
  if (record.stored.members.empty()) return;
  put(",\"value\":{");
  for (const MemberValue& member : record.stored.members) {
    put(member.name.data() == record.stored.members.front().name.data() ? "\"" : ",\"");
    put(member.name);
    put_number("\":", member.value);
  }
  put("}");
}

void JsonLog::put_connection(const CallRecord& record) {
  if (!record.remote) return;  // a listener has no connection
  if (record.local) put_text(",\"local\":\"", record.local->to_string());
  put_text(",\"remote\":\"", record.remote->to_string());
}

void JsonLog::put_data(std::string_view bytes) {
  if (bytes.empty()) return;
  put(",\"data\":\"");
  for (const char byte : bytes.substr(0, base::kBytesShown)) {
    const base::EscapedByte& escaped = base::escaped_for_json(static_cast<unsigned char>(byte));
    std::memcpy(buffer_.data() + size_, escaped.text.data(), escaped.text.size());
    size_ += escaped.size;
  }
  put("\"");
}

// The key includes its punctuation, up to the opening quote. The value needs no escaping: names,
// addresses and arguments contain no quotes and no backslashes.
void JsonLog::put_text(std::string_view key, std::string_view value) {
  put(key);
  put(value);
  put("\"");
}

void JsonLog::put_number(std::string_view key, std::int64_t value) {
  put(key);
  const auto end =
      std::to_chars(buffer_.data() + size_, buffer_.data() + buffer_.size(), value).ptr;
  size_ = static_cast<std::size_t>(end - buffer_.data());
}

void JsonLog::put(std::string_view bytes) {
  std::memcpy(buffer_.data() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void JsonLog::end_line() {
  put("}\n");
  if (buffer_.size() - size_ < kLongestLine) flush_buffer();
}

void JsonLog::flush_buffer() {
  if (size_ > 0) output_.write({buffer_.data(), size_});
  size_ = 0;
}

}  // namespace tcplab::dnc
