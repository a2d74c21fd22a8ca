// The default record: reads like the transcripts of "TCP puzzlers" (Pacheco, Joyent 2016), whose
// dnc said "entering poll()" and "poll returned events 0x0/0x1"; with microseconds, and with the
// names of what that dnc left as numbers.
#pragma once

#include <string>
#include <utility>

#include "dnc/calls/call_log.hh"
#include "dnc/log/human_output.hh"

namespace tcplab::dnc {

/// The lines for a call, without time stamps; several are separated by newlines.
/// `origin` says where written data comes from: " read from stdin", or nothing.
std::string describe_enter(const CallRecord& record, std::string_view origin);
std::string describe_leave(const CallRecord& record);

class TextLog : public CallLog {
public:
  TextLog(HumanOutput output, std::string_view origin)
      : output_(std::move(output)), origin_(origin) {}

  void enter(const CallRecord& record) override;
  void leave(const CallRecord& record) override;
  void note(std::string_view text) override;
  void flush() override {}  // its output keeps nothing back

private:
  void lines(base::Instant at, std::string_view text);

  HumanOutput output_;
  std::string origin_;
};

}  // namespace tcplab::dnc
