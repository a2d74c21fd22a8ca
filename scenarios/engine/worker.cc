#include "scenarios/engine/worker.hh"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "base/error.hh"
#include "capture/event_log.hh"
#include "reports/failure.hh"
#include "reports/transcript.hh"
#include "scenarios/engine/experiment.hh"
#include "scenarios/engine/run_channel.hh"

namespace tcplab::engine {

namespace {

constexpr std::size_t kEventsShownOnFailure = 40;

bool is_about_the_run(const capture::Event& event) {
  return std::holds_alternative<capture::RunStart>(event.body) ||
         std::holds_alternative<capture::Verdict>(event.body) ||
         std::holds_alternative<capture::RunEnd>(event.body);
}

/// TCPLAB_SLACK=MILLISECONDS: for machines that are slower than most.
base::nanoseconds slack() {
  const char* text = std::getenv("TCPLAB_SLACK");
  if (text == nullptr) return ExperimentConfig{}.slack;
  return std::chrono::milliseconds(std::strtol(text, nullptr, 10));
}

void write_transcript(const std::filesystem::path& folder) {
  std::ofstream out(folder / "transcript.txt");
  reports::Transcript transcript(out);
  capture::EventReader events((folder / "events.jsonl").string());
  while (const auto event = events.next()) transcript.event(*event);
  transcript.finish();
  out.close();
  if (!out) throw base::LabError("cannot write " + (folder / "transcript.txt").string());
}

void tell_failure(Experiment& experiment, RunChannelWriter& channel,
                  const std::filesystem::path& folder) {
  if (!experiment.failed_verdict()) return;
  const std::string text =
      reports::describe_failure(*experiment.failed_verdict(),
                                experiment.laboratory().timeline().newest(kEventsShownOnFailure),
                                {.style = {}, .start = experiment.laboratory().started()});
  std::ofstream(folder / "failure.txt") << text;
  channel.failure(text);
}

RunStatus run(const RunPlan& plan, RunChannelWriter& channel, bool every_event) {
  Experiment experiment({.script = plan.script.file,
                         .laboratory = {plan.folder, plan.family, plan.timers},
                         .slack = slack()});
  experiment.laboratory().timeline().listen([&](const capture::Event& event) {
    if (every_event || is_about_the_run(event)) channel.event(event);
  });
  experiment.on_waiting = [&](const std::string& what) { channel.waiting(what); };
  const RunStatus status = experiment.run();
  channel.reason(experiment.reason());
  tell_failure(experiment, channel, plan.folder);
  return status;
}

}  // namespace

int run_worker(const RunPlan& plan, int channel, bool every_event) {
  ::setsid();  // a Ctrl-C in the terminal is for tcplab, not for the programs under study
  std::signal(SIGPIPE, SIG_IGN);
  RunChannelWriter writer(channel);
  try {
    const RunStatus status = run(plan, writer, every_event);
    write_transcript(plan.folder);
    return static_cast<int>(status);
  } catch (const base::UsageError& error) {
    writer.reason(error.what());
    return static_cast<int>(RunStatus::bad_script);
  } catch (const std::exception& error) {
    writer.reason(error.what());
    return static_cast<int>(RunStatus::broken);
  }
}

}  // namespace tcplab::engine
