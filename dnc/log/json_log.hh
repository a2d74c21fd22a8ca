// The log of calls as JSON Lines: one object per line (docs/events.md, kind "call"). It formats by
// hand, for speed, into one buffer. It writes the buffer before a call that may block, when the
// buffer is full, and at exit.
#pragma once

#include <array>
#include <string_view>

#include "dnc/calls/call_log.hh"
#include "dnc/log/event_output.hh"

namespace tcplab::dnc {

class JsonLog : public CallLog {
public:
  explicit JsonLog(EventOutput output);
  ~JsonLog() override { flush_buffer(); }

  void enter(const CallRecord& record) override;
  void leave(const CallRecord& record) override;
  void note(std::string_view) override {}
  void flush() override { flush_buffer(); }

private:
  void begin_line(const CallRecord& record, base::Instant at, std::string_view phase);
  void put_result(const CallRecord& record);
  void put_value(const CallRecord& record);
  void put_connection(const CallRecord& record);
  void put_data(std::string_view bytes);
  void put_text(std::string_view key, std::string_view value);
  void put_number(std::string_view key, std::int64_t value);
  void put(std::string_view bytes);
  void end_line();
  void flush_buffer();

  // Room for 64 bytes of data at 6 characters each, 160 characters of arguments, two addresses, and
  // the 33 members of a TCP_INFO.
  static constexpr std::size_t kLongestLine = 2800;
  EventOutput output_;
  int pid_;
  std::size_t size_ = 0;
  std::array<char, 65536> buffer_;
};

}  // namespace tcplab::dnc
