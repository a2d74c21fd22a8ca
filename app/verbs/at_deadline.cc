#include "app/verbs/at_deadline.hh"

#include <algorithm>
#include <vector>

#include "app/script/pattern.hh"
#include "base/error.hh"
#include "look/live_process.hh"
#include "reports/look/wait_words.hh"

namespace tcplab::app {

namespace {

constexpr std::size_t kCallsShown = 3;

std::string waiting_call(const capture::TrackedCall& open, base::Instant now) {
  const std::string descriptor = open.call.fd >= 0 ? std::to_string(open.call.fd) : "";
  return open.call.call + "(" + descriptor + ") for " + base::describe(now - open.at);
}

/// What ends the waits of these processes on TCP connections. Empty for a wait that something else
/// may end: another descriptor, or a timer of an event loop.
std::vector<std::string> ends_of_waits(const std::vector<pid_t>& processes) {
  std::vector<std::string> ends;
  for (const pid_t process : processes) {
    try {
      const look::LookedProcess looked = look::look_at_calls(process);
      for (const look::LookedWait& wait : look::waits_of(looked)) {
        if (wait.thread == nullptr) continue;
        const std::string own = reports::own_end_words(wait);
        const bool has_other_ends =
            wait.thread->waits_for_others || wait.thread->call.starts_with("epoll_");
        ends.push_back(has_other_ends
                           ? ""
                           : reports::wait_words(*wait.connection, looked.kernel, wait.end) +
                                 (own.empty() ? "" : " " + own));
      }
    } catch (const base::UsageError&) {
      continue;  // it has ended meanwhile
    }
  }
  return ends;
}

/// ". Everything is acknowledged, ..."; empty if that is not known.
std::string end_of_wait(const lab::LabProgram& program, lab::LabHost& host) {
  if (!host.is_on() || host.machine().namespaces() == nullptr) return "";
  const auto ends = ends_of_waits(look::family_of(program.pid()));
  return ends.size() == 1 && !ends.front().empty() ? ". " + ends.front() : "";
}

}  // namespace

std::string program_at_deadline(const lab::LabProgram& program, lab::LabHost& host,
                                base::Instant now) {
  if (!program.running()) return "it " + program.ending();
  auto open = program.calls().descriptors().under_way(program.host());
  if (open.empty()) return "it still runs";
  std::ranges::sort(open, {}, [](const auto& call) { return call->at; });
  std::string text;
  for (std::size_t i = 0; i < std::min(open.size(), kCallsShown); ++i)
    text += (text.empty() ? "" : ", ") + waiting_call(*open[i], now);
  if (open.size() == 1) return "it waits in " + text + end_of_wait(program, host);
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
