#include "capture/calls/pending_call.hh"

#include "capture/calls/call_registers.hh"

namespace tcplab::capture {

bool PendingCall::is_again(const CallStop& at) const {
  return is_interrupted && (at.call->kind == CallKind::restart ||
                            (at.call == stop.call && at.arguments == stop.arguments));
}

void PendingCall::make_change() {
  if (change.error != 0)
    skip_call(stop.thread);
  else if (change.bytes != 0)
    shortened.emplace(stop, change.bytes);
}

std::int64_t PendingCall::changed_result(std::int64_t result) {
  if (change.error != 0) {
    result = -change.error;
    set_result(stop.thread, result);
    call.injected = true;
  } else if (shortened) {
    shortened->restore(stop);
    shortened.reset();
    call.injected = result == static_cast<std::int64_t>(change.bytes);
  }
  return result;
}

}  // namespace tcplab::capture
