// Finds the event by which a program notices that its connection is broken, or that the peer has
// closed it. Measures the time from the fault to that event. Often no call fails: a timer of the
// program ends its wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::audit {

enum class NoticeKind : std::uint8_t {
  error,          // a call fails, or SO_ERROR gives an error
  end_of_stream,  // it reads the end of the stream
  own_timer,      // its poll(2), select(2) or epoll_wait(2) times out
  end,            // it ends
};

/// Returns how an event shows a failure to its program; empty if it shows none. EAGAIN, EINPROGRESS
/// and EINTR are no failures, nor is the end of a wait with a timeout of 0.
std::optional<NoticeKind> notice_kind(const capture::Event& event);

/// Whether an action of a script breaks something.
bool is_fault(const capture::Action& action);

/// Whether no program of the host notices anything after it, or none in time.
bool stops_programs(capture::ActionVerb verb);

/// What a program has noticed, and when.
struct Notice {
  NoticeKind kind = NoticeKind::error;
  std::optional<capture::Action> fault;          // the last one before it
  std::optional<base::nanoseconds> after_fault;  // the time to notice
  std::optional<base::nanoseconds> after_frame;  // since its kernel received a FIN or a RST for it
};

/// Follows the events of a run, in the order of the timeline.
class NoticeWatch {
public:
  void note(const capture::Event& event);

  /// Measures an event by which its program notices a failure; empty for any other. An error that a
  /// script has injected has no fault to measure from.
  std::optional<Notice> measure(const capture::Event& event) const;

  /// How the program noticed, and when.
  struct First {
    Notice notice;
    capture::Event event;
  };
  /// The same, but only for the first notice of a program after each fault, and not of dnc, whose
  /// calls are an exhibit of their own. Programs often wait again after a timeout, so one counts
  /// only when the program then closes a socket or ends.
  std::optional<First> first(const capture::Event& event);

private:
  struct Fault {
    base::Instant at;
    capture::Action action;
  };
  struct BadFrame {  // FIN or RST
    base::Instant at;
    std::string host;  // that received it
    base::Endpoint local;
    base::Endpoint remote;
  };

  const Fault* fault_before(base::Instant at) const;
  std::optional<base::Instant> frame_between(base::Instant from, const capture::Event& event) const;

  std::vector<Fault> faults_;
  std::vector<BadFrame> frames_;
  bool is_new(const capture::Event& event);

  std::map<std::string, capture::Event> timeouts_;  // of programs: their last
  std::set<std::string> own_logs_;                  // "kang/dnc"
  std::set<std::pair<std::string, base::Instant>>
      reported_;  // the program, and the time of the fault
};

}  // namespace tcplab::audit
