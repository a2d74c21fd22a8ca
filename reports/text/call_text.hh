// A system call in one line: read(3) = 22 "hello\n", connect(3, kodos:8080) …, poll() = 1 IN|HUP.
#pragma once

#include <map>
#include <string>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Addresses by the names of the hosts that have them.
class HostNames {
public:
  void learn(const capture::HostUp& up);
  /// "kodos:8080"; the address where nobody is known to have it.
  std::string name(const capture::Endpoint& endpoint) const;

private:
  std::map<base::IpAddress, std::string> names_;
};

enum class CallView : std::uint8_t {
  waits,    // entered, and has not returned yet: "poll() …"
  returns,  // returned, after it was shown as waiting: "… poll() = 1 IN"
  whole,    // both in one
};

StyledText call_text(const capture::Call& call, CallView view, const HostNames& names,
                     const Style& style);

/// Calls that say nothing about TCP when they succeed: setting up, the terminal's side.
bool is_boring(const capture::Call& call);

/// Calls whose answer does not depend on frames that come meanwhile: write, close ...
bool answers_at_once(const capture::Call& call);

}  // namespace tcplab::reports
