#include "capture/calls/option_imposer.hh"

#include <algorithm>

namespace tcplab::capture {

std::vector<Call> OptionImposer::set_after(const CallStop& stop, const Call& call) {
  std::vector<Call> calls;
  if (options_.empty()) return calls;
  const auto descriptor = socket_to_change(stop, call);
  if (!descriptor) return calls;
  calls.reserve(options_.size());
  for (const ImposedOption& option : options_)
    calls.push_back(decoder_.set_option(stop, *descriptor, option));
  return calls;
}

/// Returns the descriptor of a new socket, or of one whose imposed option the program has changed.
std::optional<int> OptionImposer::socket_to_change(const CallStop& stop, const Call& call) const {
  if (call.result < 0) return std::nullopt;
  const CallKind kind = stop.call->kind;
  if (kind == CallKind::socket || kind == CallKind::accept) return static_cast<int>(call.result);
  if (kind != CallKind::set_option) return std::nullopt;
  const bool is_imposed = std::ranges::any_of(options_, [&stop](const ImposedOption& one) {
    return static_cast<int>(stop.arguments[1]) == one.option->level &&
           static_cast<int>(stop.arguments[2]) == one.option->number;
  });
  return is_imposed ? std::optional(call.fd) : std::nullopt;
}

}  // namespace tcplab::capture
