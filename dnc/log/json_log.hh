// The record as JSON Lines, one compact object a line (docs/events.md, kind "call"). Formatted by
// hand into one buffer, which goes out whole: before a call that may block, at exit, when full.
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
  void head(const CallRecord& record, base::Instant at, std::string_view phase);
  void answer(const CallRecord& record);
  void connection(const CallRecord& record);
  void data(std::string_view bytes);
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::int64_t value);
  void put(std::string_view bytes);
  void line_ends();
  void flush_buffer();

  // The longest line: 64 bytes of data at 6 characters each, 160 of arguments, two addresses.
  static constexpr std::size_t kLongestLine = 1400;
  EventOutput output_;
  int pid_;
  std::size_t size_ = 0;
  std::array<char, 65536> buffer_;
};

}  // namespace tcplab::dnc
