#include "scenarios/engine/shell/session_worker.hh"

#include <unistd.h>

#include <csignal>
#include <fstream>

#include "scenarios/engine/shell/session.hh"

namespace tcplab::engine {

namespace {

RunStatus run(const RunPlan& plan, const WorkerTies& ties, RunChannelWriter& channel) {
  const LaboratoryConfig config{
      .folder = ties.folder, .family = plan.family, .timers = plan.timers, .on = plan.on};
  Session session(plan.script, config, slack(), channel, base::FileDescriptor(ties.control));
  const RunStatus status = session.run();
  channel.reason(session.reason());
  return status;
}

}  // namespace

int run_session_worker(const RunPlan& plan, const WorkerTies& ties) {
  ::setsid();  // Ctrl-C in the terminal must reach the prompt only, not the programs under test
  std::signal(SIGPIPE, SIG_IGN);
  RunChannelWriter writer(ties.channel);
  try {
    const RunStatus status = run(plan, ties, writer);
    if (status != RunStatus::broken) write_transcript(ties.folder);
    return static_cast<int>(status);
  } catch (const std::exception& error) {
    writer.reason(error.what());
    return static_cast<int>(RunStatus::broken);
  }
}

}  // namespace tcplab::engine
