// One run in its own process, inside a run space: the experiment, its files, and what is told to
// the process that started it.
#pragma once

#include "scenarios/engine/lab/capture_stream.hh"
#include "scenarios/engine/suite/run_plan.hh"

namespace tcplab::engine {

/// What a run has to do with the process that started it.
struct WorkerTies {
  int channel = -1;          // RunChannel: what it tells
  int control = -1;          // RunControl: what it is told; -1: nobody controls it
  CaptureCopy capture{};     // of the capture
  bool every_event = false;  // the channel carries the whole timeline, else its ends and verdicts
};

/// Throws base::UsageError where an environment variable has a value that means nothing.
void check_environment();

/// The run's events for reading, when they are all there.
void write_transcript(const std::filesystem::path& folder);

/// How late things may come: TCPLAB_SLACK=MILLISECONDS is for machines that are slower than most.
base::nanoseconds slack();

/// `run` counts the runs of the suite. Returns the RunStatus as an exit status.
int run_worker(const RunPlan& plan, std::size_t run, const WorkerTies& ties);

}  // namespace tcplab::engine
