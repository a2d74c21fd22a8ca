// The default log. It looks like the transcripts of "TCP puzzlers" (Pacheco, Joyent 2016), whose
// dnc printed "entering poll()" and "poll returned events 0x0/0x1". This log adds microseconds, and
// names for the numbers.
#pragma once

#include <string>
#include <utility>

#include "dnc/calls/call_log.hh"
#include "dnc/log/human_output.hh"

namespace tcplab::dnc {

/// Return the lines for a call, without time stamps, separated by newlines.
/// `origin` says where written data comes from: " read from stdin", or empty.
std::string describe_enter(const CallRecord& record, std::string_view origin);
std::string describe_leave(const CallRecord& record);

class TextLog : public CallLog {
public:
  TextLog(HumanOutput output, std::string_view origin)
      : output_(std::move(output)), origin_(origin) {}

  void enter(const CallRecord& record) override;
  void leave(const CallRecord& record) override;
  void note(std::string_view text) override;
  void flush() override {}  // the output does not buffer

private:
  void lines(base::Instant at, std::string_view text);

  HumanOutput output_;
  std::string origin_;
};

}  // namespace tcplab::dnc
