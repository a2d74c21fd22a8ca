// Which failing calls a person asks about: the errnos of --stack, --abort-on and --stop-on.
#pragma once

#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::capture {

class FailingCalls {
public:
  FailingCalls() = default;

  /// `words`: names of errnos (errno(3)), or "any". Throws base::UsageError, whose text names
  /// `option`.
  FailingCalls(const std::string& option, const std::vector<std::string>& words);

  bool empty() const { return errors_.empty() && !any_; }

  /// Returns whether the call has failed with one of the errnos, or handed one out as SO_ERROR.
  /// "any" leaves out EAGAIN and EINPROGRESS: a non-blocking socket works that way.
  bool match(const Call& call) const;

private:
  std::vector<int> errors_;
  bool any_ = false;
};

}  // namespace tcplab::capture
