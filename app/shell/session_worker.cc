#include "app/shell/session_worker.hh"

#include <unistd.h>

#include <csignal>

#include "app/shell/session.hh"

namespace tcplab::app {

std::unique_ptr<ScriptedRun> make_shell_session(const RunPlan& plan, const WorkerTies& ties,
                                                RunChannelWriter& channel) {
  const lab::LaboratoryConfig config{
      .folder = ties.folder, .family = plan.family, .timers = plan.timers, .on = plan.on};
  return std::make_unique<Session>(plan.script, config, slack(), channel,
                                   base::FileDescriptor(ties.control));
}

int run_session_worker(const RunPlan& plan, const WorkerTies& ties, const SessionMaker& make) {
  ::setsid();  // Ctrl-C in the terminal must reach the prompt only, not the programs under test
  std::signal(SIGPIPE, SIG_IGN);
  lab::limit_processes(plan.limits);
  RunChannelWriter writer(ties.channel);
  try {
    const std::unique_ptr<ScriptedRun> session = make(plan, ties, writer);
    session->heed(base::FileDescriptor(ties.guard));
    const RunStatus status = session->run();
    writer.reason(session->reason());
    if (status != RunStatus::broken) write_transcript(ties.folder);
    return static_cast<int>(status);
  } catch (const std::exception& error) {
    writer.reason(error.what());
    return static_cast<int>(RunStatus::broken);
  }
}

}  // namespace tcplab::app
