// The log in the format of illumos's truss -d, which the article used to trace nc. A base time
// stamp comes first. Each line has the seconds since then, the call and its result; an error is
// written "Err#104 ECONNRESET". A call that may block also has a line at its start, with
// "(sleeping...)".
#pragma once

#include <string>

#include "dnc/calls/call_log.hh"
#include "dnc/log/human_output.hh"

namespace tcplab::dnc {

/// Returns "read(3, "kodos, a".., 65536)". The data of a read is known only once it has returned.
std::string truss_call(const CallRecord& record, bool returned);
/// Returns "= 22" or "Err#104 ECONNRESET".
std::string truss_answer(const CallRecord& record);

class TrussLog : public CallLog {
public:
  explicit TrussLog(HumanOutput output);

  void enter(const CallRecord& record) override;
  void leave(const CallRecord& record) override;
  void note(std::string_view) override {}  // truss(1) shows only calls
  void flush() override {}                 // the output does not buffer

private:
  HumanOutput output_;
  base::Instant base_;
};

}  // namespace tcplab::dnc
