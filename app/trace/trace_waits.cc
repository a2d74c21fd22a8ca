#include "app/trace/trace_waits.hh"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.hh"
#include "capture/event/call_names.hh"
#include "look/live_process.hh"
#include "reports/look/look_text.hh"

namespace tcplab::app {

namespace {

/// Whether people send the signal to end a program.
bool is_ending(int signal) {
  return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
}

/// A word of /proc/PID/status (proc_pid_status(5)); empty if there is none.
std::string status_of(pid_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::string value;
    if (words >> key >> value && key == name + ":") return value;
  }
  return "";
}

bool ignores(pid_t process, int signal) {
  constexpr int kHexadecimal = 16;
  const auto ignored = std::strtoull(status_of(process, "SigIgn").c_str(), nullptr, kHexadecimal);
  return (ignored >> (signal - 1) & 1) != 0;
}

}  // namespace

/// A process that receives something goes on after a signal: what it waited for then has come.
void TraceWaits::add(const capture::Call& call) {
  callers_.insert(call.pid);
  const bool has_come = call.phase == capture::CallPhase::leave && call.result >= 0 &&
                        capture::receives_data(call.call);
  if (has_come) sights_.erase(call.pid);
}

void TraceWaits::at_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) {
  if (!is_ending(signal) || !callers_.contains(process) || ignores(process, signal)) return;
  look_at(process, base::signal_name(signal) + " came",
          is_interrupted ? std::optional<pid_t>(thread) : std::nullopt);
}

/// A program that ends itself by a second signal, as Python does at SIGINT, waits no more: what it
/// waited for at the first one stays.
void TraceWaits::look_at(pid_t process, const std::string& occasion,
                         std::optional<pid_t> interrupted) {
  try {
    Sight sight{.occasion = occasion,
                .at = base::now(),
                .process = look::look_at(process, {.interrupted = interrupted})};
    const auto waits = look::waits_of(sight.process);
    const bool waits_now = !waits.empty() && waits.front().has_waiter();
    if (waits_now || !sights_.contains(process))
      sights_.insert_or_assign(process, std::move(sight));
  } catch (const base::UsageError&) {
    return;  // it was killed meanwhile
  }
}

std::string TraceWaits::text(base::Instant start, const reports::Style& style) {
  const std::string self = std::to_string(::getpid());
  for (const pid_t process : callers_)
    if (status_of(process, "TracerPid") == self) look_at(process, "the trace ended", {});
  std::string all;
  for (const auto& [id, sight] : sights_) {
    std::ostringstream waits;
    reports::write_waits(waits, sight.process, style);
    if (waits.str().empty()) continue;
    all += fmt::format("when {}, at {}:\n{}", sight.occasion, base::describe(sight.at - start),
                       waits.str());
  }
  return all;
}

}  // namespace tcplab::app
