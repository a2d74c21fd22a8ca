// What dnc says on stderr besides the record, and how it is asked for its state.
#pragma once

#include <string_view>

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

/// "dnc: read: Connection reset by peer", as the article's dnc ends.
void complain(std::string_view call, int error);

/// Something that can say what it holds, at any moment: describe_state() is called from a signal
/// handler, so it may only read plain members (signal-safety(7)).
class Stateful {
public:
  virtual void describe_state(ArgumentText& into) const = 0;

protected:
  ~Stateful() = default;
};

/// While it lives, SIGUSR1 makes dnc say "dnc: state: ..." on stderr, of `subject`; before and
/// after, of whatever was asked then. The handler writes it itself: a flag that is looked at
/// between calls would wait as long as the call that it has just missed.
class AnswersForState {
public:
  explicit AnswersForState(const Stateful& subject);
  ~AnswersForState();
  AnswersForState(const AnswersForState&) = delete;
  AnswersForState& operator=(const AnswersForState&) = delete;

private:
  const Stateful* before_;
};

/// From here on SIGUSR1 does not end dnc, and is answered.
void catch_state_requests();

}  // namespace tcplab::dnc
