// When a program learns that something is wrong with its connection, or that the peer has closed
// it; and how long after the fault that is. Often no call fails: the program's own timer ends its
// waiting.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::capture {

enum class NoticeKind : std::uint8_t {
  error,          // a call fails, or SO_ERROR gives an error
  end_of_stream,  // it reads the end of the stream
  own_timer,      // its poll(2), select(2) or epoll_wait(2) times out
  end,            // it ends
};

/// Returns how an event tells its program; empty if it tells nothing. EAGAIN, EINPROGRESS and EINTR
/// are no bad news, and a wait that was meant to end at once tells nothing.
std::optional<NoticeKind> notice_kind(const Event& event);

/// Whether an action of a script breaks something.
bool is_fault(const Action& action);

/// What a program has noticed, and when.
struct Notice {
  NoticeKind kind = NoticeKind::error;
  std::optional<Action> fault;             // the last one before it
  std::optional<nanoseconds> after_fault;  // the time to notice
  std::optional<nanoseconds> after_frame;  // since its kernel received a FIN or a RST for it
};

/// Follows the events of a run, in the order of the timeline.
class NoticeWatch {
public:
  void note(const Event& event);

  /// Measures an event that tells its program; empty for any other. An error that a script has
  /// injected has no fault to measure from.
  std::optional<Notice> measure(const Event& event) const;

  /// What told the program, and when.
  struct First {
    Notice notice;
    Event event;
  };
  /// The same, but only for the first notice of a program after each fault, and not of dnc, whose
  /// calls are an exhibit of their own. Programs often wait again after a timeout, so one counts
  /// only when the program then closes a socket or ends.
  std::optional<First> first(const Event& event);

private:
  struct Fault {
    Instant at;
    Action action;
  };
  struct BadFrame {  // FIN or RST
    Instant at;
    std::string host;  // that received it
    Endpoint local;
    Endpoint remote;
  };

  const Fault* fault_before(Instant at) const;
  std::optional<Instant> frame_between(Instant from, const Event& event) const;

  std::vector<Fault> faults_;
  std::vector<BadFrame> frames_;
  bool is_told(const Event& event);

  std::map<std::string, Event> timeouts_;           // of programs: their last
  std::set<std::string> own_logs_;                  // "kang/dnc"
  std::set<std::pair<std::string, Instant>> told_;  // the program, and the time of the fault
};

}  // namespace tcplab::capture
