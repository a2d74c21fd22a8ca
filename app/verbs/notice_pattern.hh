// The event by which a program notices that its connection is broken, or that the peer has closed
// it (capture/event/notice.hh).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/script/pattern.hh"
#include "app/script/suspension.hh"
#include "audit/notice.hh"
#include "lab/record/timeline.hh"

namespace tcplab::app {

/// The first call of a program that reports a failure, or the program's end.
struct NoticePattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  OnConnection connection;  // only its calls, the program's own timers, and its end
};

/// Waits for such an event, and measures how long after the fault it is.
class NoticeExpectation : public Eventually {
public:
  NoticeExpectation(base::Instant deadline, base::nanoseconds within,
                    std::shared_ptr<Pattern> pattern, lab::Timeline& timeline)
      : Eventually(deadline, within, std::move(pattern)), timeline_(timeline) {}

  std::string seen() const override;
  std::map<std::string, double> measured() const override;

private:
  std::optional<audit::Notice> notice() const;

  lab::Timeline& timeline_;
};

}  // namespace tcplab::app
