#include "app/shell/session_process.hh"

#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <utility>

#include "app/suite/run_process.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "netns/programs/processes.hh"

namespace tcplab::app {

SessionProcess::SessionProcess(boost::asio::io_context& loop) : loop_(loop) {
  channel.on_reason = [this](const std::string& text) { reason_ = text; };
}

void SessionProcess::start(const RunPlan& plan, const SessionMaker& make) {
  const std::filesystem::path folder = base::make_output_folder(plan.folder.string());
  base::Pipe pipe = base::make_pipe();
  ControlEnds guard = make_control();
  ControlEnds control = make_control();
  const WorkerTies ties{.folder = folder,
                        .channel = pipe.write_end.get(),
                        .guard = guard.hears.get(),
                        .control = control.hears.get(),
                        .every_event = true};
  const std::array kept{ties.channel, ties.guard, ties.control};
  auto space = start_run(plan.on, kept, [&] { return run_session_worker(plan, ties, make); });
  process_ = space.pid;
  guard_.add({.process = process_,
              .limits = plan.limits,
              .is_stepped = true,
              .socket = std::move(guard.says),
              .on_kill = [this](const std::string& reason) { reason_ = reason; }});
  control_.emplace(std::move(control.says));
  end_.emplace(loop_, space.pidfd.release());
  reader_ = std::make_unique<lab::PipeReader>(
      loop_, std::move(pipe.read_end), [this](std::string_view text) { channel.take(text); });
  end_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                   [this](const boost::system::error_code& error) {
                     if (!error) ended();
                   });
}

bool SessionProcess::is_any_running() const { return netns::is_any_running(process_); }

void SessionProcess::ended() {
  siginfo_t info{};
  base::check("wait for the lab's process",
              ::waitid(P_PIDFD, static_cast<id_t>(end_->native_handle()), &info, WEXITED));
  reader_->drain();
  status_ = info.si_code == CLD_EXITED ? info.si_status : 3;
  if (info.si_code != CLD_EXITED && reason_.empty())
    reason_ = "the lab's process was killed by " + base::signal_name(info.si_status);
  on_end();
}

}  // namespace tcplab::app
