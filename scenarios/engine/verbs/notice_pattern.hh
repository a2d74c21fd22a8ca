// The moment at which a program learns that something is wrong with its connection, or that the
// peer has closed it. Often no call fails: the program's own timer ends its waiting.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "capture/event/notice.hh"
#include "scenarios/engine/lab/timeline.hh"
#include "scenarios/engine/script/pattern.hh"
#include "scenarios/engine/script/suspension.hh"

namespace tcplab::engine {

/// The first call of a program that brings bad news, or its end.
struct NoticePattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  OnConnection connection;  // only its calls, the program's own timers, and its end
};

/// Waits for such a moment, and measures how long after the fault it is.
class NoticeExpectation : public Eventually {
public:
  NoticeExpectation(base::Instant deadline, base::nanoseconds within,
                    std::shared_ptr<Pattern> pattern, Timeline& timeline)
      : Eventually(deadline, within, std::move(pattern)), timeline_(timeline) {}

  std::string seen() const override;
  std::map<std::string, double> measured() const override;

private:
  std::optional<capture::Notice> notice() const;

  Timeline& timeline_;
};

}  // namespace tcplab::engine
