// tcplab shell: a prompt for the lab. This process has the terminal. The lab runs in another
// process, like every run (session.hh). One loop, one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/session_record.hh"
#include "app/shell/shell_commands.hh"
#include "app/shell/shell_history.hh"
#include "app/shell/shell_screen.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/run_control.hh"
#include "app/suite/run_guard.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/run_time.hh"
#include "app/terminal/line_editor.hh"
#include "netns/run_space.hh"

namespace tcplab::app {

struct ShellOptions {
  RunPlan plan;
  std::vector<std::string> first_lines;  // executed before the first prompt
  bool is_terminal = false;              // false: execute the lines of standard input
  reports::Style style;
};

class Shell {
public:
  explicit Shell(ShellOptions options);
  /// Runs until the user quits, and returns the exit status. Throws base::LabError.
  int run();

private:
  void start();
  void connect();
  void wait_for_signals();
  void take_signal(int signal);
  void stopped_by_terminal();
  void take_width();
  void interrupt();
  void tick();

  void take_typed(const std::string& line);
  void take_line(const std::string& line);
  void do_command(const ShellCommand& command);
  void submit(const std::string& text);
  void next();
  void prompt();
  void complete(const std::string& before);
  void take_completions(const nlohmann::json& said);
  void show_words(const std::vector<std::string>& words);
  void attach(const std::string& name);
  void detach();
  void save(const std::string& argument);
  void end_input();
  void quit();

  void take_message(const RunMessage& message);
  void take_turn(nlohmann::json said);
  void conclude();
  bool is_quiet() const;
  void read_standard_input();
  void run_ended();
  int tell_end();

  ShellOptions options_;
  boost::asio::io_context loop_{1};
  boost::asio::signal_set signals_;
  boost::asio::steady_timer ticker_;
  std::unique_ptr<LineEditor> editor_;  // null without a terminal
  ShellScreen screen_;
  RunTime time_;
  ShellHistory history_;
  SessionRecord record_;
  RunChannelReader channel_;
  std::optional<RunControl> control_;
  std::unique_ptr<lab::PipeReader> reader_;
  std::optional<boost::asio::posix::stream_descriptor> end_;  // pidfd of the run's process

  std::deque<std::string> lines_;  // first_lines that are not executed yet
  std::string partial_;            // standard input that is not executed yet
  bool input_ended_ = false;
  std::string pending_;  // an incomplete statement
  std::map<std::string, std::string> names_;
  std::string attached_;  // the global of the attached program; empty if none
  bool busy_ = false;     // a turn is running
  bool asks_states_ = false;
  std::string waiting_;                 // what the turn waits for
  std::optional<nlohmann::json> turn_;  // a finished turn that is not shown yet
  RunGuard guard_;
  pid_t run_process_ = 0;
  base::Instant changed_{};  // time of the last event
  base::Instant submitted_{};
  bool quitting_ = false;
  int failures_ = 0;
  int signal_ = 0;  // the signal that ended the shell; 0 if none
  std::optional<int> run_status_;
  std::string reason_;
};

}  // namespace tcplab::app
