// Sets socket options on the sockets of traced programs.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "capture/calls/call_decoder.hh"
#include "capture/calls/call_stop.hh"
#include "capture/calls/imposed_option.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

class OptionImposer {
public:
  explicit OptionImposer(CallDecoder& decoder) : decoder_(decoder) {}

  /// Sets these options on each TCP socket that a program makes or accepts from now on, and again
  /// when the program sets one of them.
  void impose(std::vector<ImposedOption> options) { options_ = std::move(options); }

  /// A call has returned: sets the options if it has made a socket or changed one of them. Returns
  /// the calls that this took. The thread is stopped at the return of its call, so it uses the
  /// socket only afterwards.
  std::vector<Call> set_after(const CallStop& stop, const Call& call);

private:
  std::optional<int> socket_to_change(const CallStop& stop, const Call& call) const;

  CallDecoder& decoder_;
  std::vector<ImposedOption> options_;
};

}  // namespace tcplab::capture
