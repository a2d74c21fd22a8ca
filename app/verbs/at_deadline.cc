#include "app/verbs/at_deadline.hh"

#include <algorithm>
#include <vector>

#include "app/script/pattern.hh"

namespace tcplab::app {

namespace {

constexpr std::size_t kCallsShown = 3;

std::string waiting_call(const capture::TrackedCall& open, base::Instant now) {
  const std::string descriptor = open.call.fd >= 0 ? std::to_string(open.call.fd) : "";
  return open.call.call + "(" + descriptor + ") for " + base::describe(now - open.at);
}

}  // namespace

std::string program_at_deadline(const lab::LabProgram& program, base::Instant now) {
  if (!program.running()) return "it " + program.ending();
  auto open = program.calls().descriptors().under_way(program.host());
  if (open.empty()) return "it still runs";
  std::ranges::sort(open, {}, [](const auto& call) { return call->at; });
  std::string text;
  for (std::size_t i = 0; i < std::min(open.size(), kCallsShown); ++i)
    text += (text.empty() ? "" : ", ") + waiting_call(*open[i], now);
  return "it waits in " + text + (open.size() > kCallsShown ? ", ..." : "");
}

std::string kernel_at_deadline(lab::Timeline& timeline, const std::string& host) {
  std::string last;
  timeline.visit_after(0, [&](const capture::Event& event) {
    const auto* kernel = std::get_if<capture::Kernel>(&event.body);
    if (kernel != nullptr && kernel->host == host) last = describe(event);
    return true;
  });
  return last.empty() ? host + "'s kernel has reported nothing"
                      : "its kernel's last event: " + last;
}

}  // namespace tcplab::app
