// The process of one run, inside its run space. It runs the experiment, writes the files, and
// reports to the process that started it.
#pragma once

#include "app/suite/run_plan.hh"
#include "lab/record/capture_stream.hh"

namespace tcplab::app {

/// Connects a run to the process that started it.
struct WorkerTies {
  /// The folder of the run, without symbolic links (base::make_output_folder()).
  std::filesystem::path folder{};
  int channel = -1;            // RunChannel, to the starter
  int guard = -1;              // ScriptedRun::heed(), from the starter
  int control = -1;            // RunControl, from the starter; -1: none
  lab::CaptureCopy capture{};  // a copy of the capture
  bool every_event = false;  // send all events; else the start, the end, verdicts, marks of audits
};

/// Throws base::UsageError if an environment variable has an invalid value.
/// Throws base::LabError if /proc is not mounted.
void check_environment();

/// Writes transcript.txt from the events of a finished run.
void write_transcript(const std::filesystem::path& folder);

/// Returns how late an event may come: TCPLAB_SLACK=MILLISECONDS, for slow machines.
base::nanoseconds slack();

/// Executes a run, and returns its RunStatus as an exit status.
int run_worker(const RunPlan& plan, const WorkerTies& ties);

}  // namespace tcplab::app
