#include "capture/event/failing_calls.hh"

#include <algorithm>
#include <cerrno>

#include "base/error.hh"

namespace tcplab::capture {

FailingCalls::FailingCalls(const std::string& option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "any") {
      any_ = true;
      continue;
    }
    const int error = base::errno_number(word);
    if (error == 0)
      throw base::UsageError(option + ": '" + word +
                             "' is neither 'any' nor the name of an errno, such as ECONNRESET; "
                             "see errno(3)");
    errors_.push_back(error);
  }
}

bool FailingCalls::match(const Call& call) const {
  if (call.phase != CallPhase::leave || call.error == 0) return false;
  if (std::ranges::find(errors_, call.error) != errors_.end()) return true;
  return any_ && call.error != EAGAIN && call.error != EINPROGRESS;
}

}  // namespace tcplab::capture
