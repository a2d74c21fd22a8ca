// tcplab shell: a prompt for the lab. This process has the terminal. The lab runs in another
// process, like every run (session.hh). One loop, one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/input_lines.hh"
#include "app/shell/session_process.hh"
#include "app/shell/session_record.hh"
#include "app/shell/shell_commands.hh"
#include "app/shell/shell_history.hh"
#include "app/shell/shell_screen.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/run_time.hh"
#include "app/terminal/line_editor.hh"

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
  /// What the user has asked the lab for last: the execution of a statement, or `states`.
  struct Turn {
    bool is_running = false;
    bool asks_states = false;              // while `states` is not answered
    std::string waiting;                   // what it waits for
    std::optional<nlohmann::json> result;  // not shown yet
    base::Instant began{};
  };

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
  SessionProcess process_{loop_};

  std::deque<std::string> lines_;  // first_lines that are not executed yet
  InputLines input_;               // without a terminal
  std::string pending_;            // an incomplete statement
  std::map<std::string, std::string> names_;
  std::string attached_;  // the global of the attached program; empty if none
  Turn turn_;
  base::Instant changed_{};  // time of the last event
  bool quitting_ = false;
  int failures_ = 0;
  int signal_ = 0;  // the signal that ended the shell; 0 if none
};

}  // namespace tcplab::app
