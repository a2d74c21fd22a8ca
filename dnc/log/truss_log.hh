// The record as illumos' truss -d prints it, which the article used on its nc: a base time stamp,
// then seconds since, the call, and its answer, errors as Err#104 ECONNRESET. A call that may
// block is announced with "(sleeping...)".
#pragma once

#include <string>

#include "dnc/calls/call_log.hh"
#include "dnc/log/human_output.hh"

namespace tcplab::dnc {

/// "read(3, "kodos, a".., 65536)"
std::string truss_call(const CallRecord& record, bool returned);
/// "= 22", "Err#104 ECONNRESET"
std::string truss_answer(const CallRecord& record);

class TrussLog : public CallLog {
public:
  explicit TrussLog(HumanOutput output);

  void enter(const CallRecord& record) override;
  void leave(const CallRecord& record) override;
  void note(std::string_view) override {}  // truss(1) knows calls only
  void flush() override {}                 // its output keeps nothing back

private:
  HumanOutput output_;
  base::Instant base_;
};

}  // namespace tcplab::dnc
