// Messages of dnc on stderr that are not part of the log: errors, and its state on SIGUSR1.
#pragma once

#include <string_view>

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

/// Prints "dnc: ", the text and a line feed. Bytes that are not printable ASCII appear as in C, and
/// a text longer than 2,000 bytes is cut: it may quote what a user or a script has typed.
void print_message(std::string_view text);

/// Prints "dnc: read: Connection reset by peer", as the article's dnc does.
void print_error(std::string_view call, int error);

/// An object that can describe its state. describe_state() is called from a signal handler, so it
/// may only read plain members (signal-safety(7)).
class Stateful {
public:
  virtual void describe_state(ArgumentText& into) const = 0;

protected:
  ~Stateful() = default;
};

/// While the guard lives, SIGUSR1 makes dnc print "dnc: state: ..." about `subject` on stderr.
/// Guards nest: the previous subject applies again afterwards. The handler itself prints: if it
/// only set a flag, the answer would have to wait until the current call returns.
class StateReportGuard {
public:
  explicit StateReportGuard(const Stateful& subject);
  ~StateReportGuard();
  StateReportGuard(const StateReportGuard&) = delete;
  StateReportGuard& operator=(const StateReportGuard&) = delete;

private:
  const Stateful* previous_;
};

/// Installs the handler of SIGUSR1.
void install_state_report_handler();

}  // namespace tcplab::dnc
