#include "app/suite/worker.hh"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string_view>

#include "app/suite/experiment.hh"
#include "app/suite/failure_text.hh"
#include "app/suite/retell.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/stepped_run.hh"
#include "base/error.hh"
#include "base/error_message.hh"
#include "base/output_file.hh"
#include "netns/chroot.hh"
#include "netns/host.hh"
#include "reports/coverage/state_diagram.hh"
#include "reports/ladder/failure.hh"
#include "reports/ladder/transcript.hh"
#include "reports/text/judgement_text.hh"

namespace tcplab::app {

namespace {

bool is_finding(const capture::Event& event) {
  const auto* change = std::get_if<capture::State>(&event.body);
  return change != nullptr && reports::judge(*change) == reports::StateChangeKind::finding;
}

/// A peer does what its script wants: its states are no findings (suite.cc).
bool is_peer(const capture::Event& event) {
  const auto* up = std::get_if<capture::HostUp>(&event.body);
  return up != nullptr && up->is_peer;
}

bool is_about_the_run(const capture::Event& event) {
  return is_peer(event) || std::holds_alternative<capture::RunStart>(event.body) ||
         std::holds_alternative<capture::Verdict>(event.body) ||
         std::holds_alternative<capture::Unchecked>(event.body) ||
         std::holds_alternative<capture::AuditNote>(event.body) ||
         std::holds_alternative<capture::RunEnd>(event.body) || is_finding(event);
}

/// A wrong script may be wrong because a program failed: what it wrote last follows the reason.
void tell_last_lines(const Experiment& experiment, RunChannelWriter& channel,
                     const std::filesystem::path& folder) {
  if (experiment.last_lines().empty()) return;
  const reports::Style style;
  std::string text = experiment.reason() + "\n";
  for (const capture::Verdict::LastLines& written : experiment.last_lines())
    for (const reports::StyledText& line : reports::written_lines(written, style.width))
      text += reports::render(line, style) + "\n";
  base::write_output_file((folder / "failure.txt").string(), text);
  channel.failure(text);
}

void tell_failure(Experiment& experiment, RunChannelWriter& channel,
                  const std::filesystem::path& folder) {
  if (!experiment.failed_verdict()) return tell_last_lines(experiment, channel, folder);
  const std::string text = failure_text(experiment);
  base::write_output_file((folder / "failure.txt").string(), text);
  channel.failure(text);
}

RunStatus run(const RunPlan& plan, RunChannelWriter& channel, const WorkerTies& ties) {
  lab::CaptureStream stream(ties.capture);
  stream.on_notice = [&](const std::string& text) { channel.say("notice", text); };
  Experiment experiment(
      plan.script,
      {ties.folder, plan.family, plan.timers, ties.capture.descriptor == -1 ? nullptr : &stream,
       plan.is_stepped, plan.has_kernel_events, plan.is_stepped ? base::nanoseconds{} : slack(),
       plan.limits, plan.script.file, plan.is_trusted, plan.parameters, plan.on,
       lab::Perturbation(plan.perturbation, plan.folder.filename().string())},
      slack());
  experiment.heed(base::FileDescriptor(ties.guard));
  experiment.laboratory().timeline().listen([&](const capture::Event& event) {
    if (ties.every_event || is_about_the_run(event)) channel.event(event);
  });
  ScriptContext& context = experiment.context();
  context.waiter().on_waiting = [&](const std::string& what) { channel.waiting(what); };
  experiment.laboratory().processor().on_starved = [&] { channel.say("starved", ""); };
  std::optional<SteppedRun> stepped;
  if (plan.is_stepped) stepped.emplace(experiment, channel, base::FileDescriptor(ties.control));
  const RunStatus status = experiment.run();
  channel.reason(experiment.reason());
  if (status == RunStatus::broken && experiment.laboratory().processor().stalls().stood_still())
    channel.say("stalled", "");
  tell_failure(experiment, channel, ties.folder);
  stream.check_nic();
  return status;
}

}  // namespace

base::nanoseconds slack() {
  const char* given = std::getenv("TCPLAB_SLACK");
  if (given == nullptr) return kUsualSlack;
  const std::string_view text = given;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc{} || end != text.end())
    throw base::UsageError(
        fmt::format("TCPLAB_SLACK={}: must be a number of milliseconds (default 500)", text));
  return std::chrono::milliseconds(number);
}

void write_transcript(const std::filesystem::path& folder) {
  const std::string file = (folder / "transcript.txt").string();
  static_cast<void>(base::make_output_file(file));  // instead of a link, which open(2) would follow
  std::ofstream out(file);
  reports::Transcript transcript(out);
  retell(folder, transcript);
  out.close();
  if (!out) throw base::SystemError("write " + file, errno);
}

void check_environment() {
  netns::require_proc();
  static_cast<void>(slack());
  static_cast<void>(netns::preferred_port_kind());
}

int run_worker(const RunPlan& plan, const WorkerTies& ties) {
  ::setsid();  // Ctrl-C in the terminal must reach tcplab only, not the programs under test
  std::signal(SIGPIPE, SIG_IGN);
  // If a fork bomb is faster than the guard (RunGuard), the kernel refuses the rest of it.
  lab::limit_processes(plan.limits);
  RunChannelWriter writer(ties.channel);
  try {
    const RunStatus status = run(plan, writer, ties);
    // If the lab broke, as on a full disk, its reason must not be hidden by a second error.
    if (status != RunStatus::broken) write_transcript(ties.folder);
    return static_cast<int>(status);
  } catch (const base::UsageError& error) {
    writer.reason(error.what());
    return static_cast<int>(RunStatus::bad_script);
  } catch (const std::exception& error) {
    writer.reason(base::message_of(error));
    return static_cast<int>(RunStatus::broken);
  }
}

}  // namespace tcplab::app
