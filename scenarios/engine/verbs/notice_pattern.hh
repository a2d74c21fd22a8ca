// The moment at which a program learns that something is wrong with its connection, or that the
// peer has closed it. Often no call fails: the program's own timer ends its waiting.
#pragma once

#include <string>

#include "scenarios/engine/script/pattern.hh"

namespace tcplab::engine {

/// Returns how the call tells the program: "recv fails with ETIMEDOUT", "end of stream"; empty if
/// it tells nothing. EAGAIN, EINPROGRESS and EINTR are no bad news.
std::string notice_of(const capture::Call& call);

/// The first call of a program that brings bad news, or its end.
struct NoticePattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  OnConnection connection;  // only its calls, the program's own timers, and its end
};

}  // namespace tcplab::engine
