// Formats a system call as one line: read(3) = 22 "hello\n", connect(3, kodos:8080) …,
// poll() = 1 IN|HUP.
#pragma once

#include <map>
#include <string>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Translates addresses into the names of hosts.
class HostNames {
public:
  void learn(const capture::HostUp& up);
  /// Returns "kodos:8080", or the address if its host is unknown.
  std::string name(const capture::Endpoint& endpoint) const;

private:
  std::map<base::IpAddress, std::string> names_;
};

enum class CallView : std::uint8_t {
  waits,    // entered, not yet returned: "poll() …"
  returns,  // returned, after it was shown as waiting: "… poll() = 1 IN"
  whole,    // entered and returned, in one line
};

StyledText call_text(const capture::Call& call, CallView view, const HostNames& names,
                     const Style& style);

/// Returns what a script has done to the call: "injected", "injected delay of 300 ms"; empty if
/// nothing. call_text() ends with it.
StyledText injection_text(const capture::Call& call);

/// Returns whether the call shows nothing about TCP: a successful setup call, or a call on the
/// terminal. What a script has changed is never boring.
bool is_boring(const capture::Call& call);

/// Returns whether the call's result does not depend on later frames: write, close ...
bool answers_at_once(const capture::Call& call);

}  // namespace tcplab::reports
