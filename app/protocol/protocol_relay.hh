// tcplab session, in the process that its client talks to: passes requests from standard input to
// the process of the run, one after another, and answers to standard output. Ends the run when
// standard input has ended, when nobody reads standard output any more, or by a signal.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "app/shell/input_lines.hh"
#include "app/shell/session_process.hh"
#include "app/suite/run_plan.hh"

namespace tcplab::app {

/// How a session ended.
struct SessionEnd {
  int status = 0;  // RunStatus, as a number
  std::string reason{};
  std::string page{};        // the web page of the run; empty if there is none
  int signal = 0;            // that ended it; 0 if none
  bool has_refused = false;  // a request
};

class ProtocolRelay {
public:
  explicit ProtocolRelay(RunPlan plan);

  /// Runs the session to its end. Throws base::LabError if it cannot start.
  SessionEnd run();
  /// Writes the last line, which says how the session has ended; before it, an answer to a request
  /// that the end of the run has interrupted. Gives up if nobody reads them.
  void write_end(const SessionEnd& end);
  /// Returns the errno with which standard output could not be written; 0 if it could, or if only
  /// its reader has gone.
  int output_error() const { return output_error_; }

private:
  using Descriptor = boost::asio::posix::stream_descriptor;

  void connect();
  void take_message(const RunMessage& message);
  void take_ready(const std::string& session);
  void next();
  void await_input();
  void send(const std::string& line);
  void answered(const std::string& line);
  void write_rest();
  void write_some();
  void flush();
  void tick();
  void quit();
  void stop_catching_signals();
  bool has_reader() const;

  RunPlan plan_;
  boost::asio::io_context loop_{1};
  boost::asio::signal_set signals_;
  boost::asio::steady_timer ticker_;
  std::optional<Descriptor> readable_;  // readiness of standard input; none of a regular file
  std::optional<Descriptor> writable_;
  bool awaits_input_ = false;
  bool awaits_output_ = false;
  SessionProcess process_{loop_};
  InputLines input_;
  std::string output_;       // what standard output could not take yet, and before it:
  std::size_t written_ = 0;  // bytes that it has taken
  std::string pending_;      // the last request
  bool is_pending_ = true;   // until the session is ready
  bool quitting_ = false;
  int output_error_ = 0;
  SessionEnd end_;
};

}  // namespace tcplab::app
