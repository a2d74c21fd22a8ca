#include "app/protocol/protocol_worker.hh"

#include "app/protocol/protocol_session.hh"

namespace tcplab::app {

std::unique_ptr<ScriptedRun> make_protocol_session(const RunPlan& plan, const WorkerTies& ties,
                                                   RunChannelWriter& channel) {
  const lab::LaboratoryConfig config{.folder = ties.folder,
                                     .family = plan.family,
                                     .timers = plan.timers,
                                     .has_kernel_events = plan.has_kernel_events,
                                     .limits = plan.limits,
                                     .is_trusted = plan.is_trusted,
                                     .parameters = plan.parameters,
                                     .on = plan.on};
  return std::make_unique<ProtocolSession>(plan.script, config, slack(), channel,
                                           base::FileDescriptor(ties.control));
}

}  // namespace tcplab::app
