// The process of a session's lab, as the process that its user talks to sees it: starts it, tells
// it what to do, guards it, and learns how it ended (session_worker.hh is its other side).
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/session_worker.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/run_control.hh"
#include "app/suite/run_guard.hh"
#include "app/suite/run_plan.hh"

namespace tcplab::app {

class SessionProcess {
public:
  /// The loop must outlive this.
  explicit SessionProcess(boost::asio::io_context& loop);

  /// Starts the process, with the session that `make` makes there. Throws base::LabError.
  void start(const RunPlan& plan, const SessionMaker& make);
  void say(const std::string& what, const std::string& text = "") { control_->say(what, text); }
  /// To be called 20 times a second.
  void tick() { guard_.tick(); }
  /// Returns true if a thread of the lab or of its programs runs, or waits for a processor.
  bool is_any_running() const;

  /// Returns how the process ended: its exit status, or 3 if a signal killed it. Empty before.
  std::optional<int> status() const { return status_; }
  /// Returns why it ended, or must end; empty if it has not said.
  const std::string& reason() const { return reason_; }

  RunChannelReader channel;      // what it says; its on_reason is taken
  std::function<void()> on_end;  // called when it has ended, and channel has all that it said

private:
  void ended();

  boost::asio::io_context& loop_;
  std::optional<RunControl> control_;
  std::unique_ptr<lab::PipeReader> reader_;
  std::optional<boost::asio::posix::stream_descriptor> end_;  // its pidfd
  RunGuard guard_;
  pid_t process_ = 0;
  std::optional<int> status_;
  std::string reason_;
};

}  // namespace tcplab::app
