#include "reports/waits/folded_waits.hh"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "reports/text/text.hh"
#include "reports/waits/wait_words.hh"

namespace tcplab::reports {

namespace {

/// A frame must not have the separator. stackcollapse-perf.pl writes a colon, too.
std::string without_separator(std::string_view frame) {
  std::string text = printable(frame);
  std::ranges::replace(text, ';', ':');
  return text;
}

/// "recvfrom 10.0.0.2:5432". Of accept(2) the name alone.
std::string call_with_peer(const TraceWait& wait) {
  const std::string peer = peer_of(wait);
  return wait.call.call + (peer.empty() ? "" : " ") + peer;
}

}  // namespace

void FoldedWaits::add(const TraceWait& wait) {
  std::string stack = without_separator(wait.process);
  for (auto frame = wait.call.stack.rbegin(); frame != wait.call.stack.rend(); ++frame)
    stack += ";" + without_separator(without_address(*frame));
  if (wait.call.stack.empty()) stack += ";[no stack]";
  waits_[fmt::format("{};{};{}", stack, call_with_peer(wait), end_of(wait).text)] +=
      wait.duration();
}

std::string FoldedWaits::text() const {
  std::string text;
  for (const auto& [stack, time] : waits_)
    text +=
        fmt::format("{} {}\n", stack, std::chrono::round<std::chrono::milliseconds>(time).count());
  return text;
}

}  // namespace tcplab::reports
