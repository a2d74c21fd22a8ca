// tcplab shell: the lab as a prompt. This process has the terminal; the lab is in a process of its
// own, as every run's (session.hh). One loop, one thread.
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

#include "netns/run_space.hh"
#include "scenarios/engine/shell/session_record.hh"
#include "scenarios/engine/shell/shell_commands.hh"
#include "scenarios/engine/shell/shell_history.hh"
#include "scenarios/engine/shell/shell_screen.hh"
#include "scenarios/engine/suite/run_channel.hh"
#include "scenarios/engine/suite/run_control.hh"
#include "scenarios/engine/suite/run_plan.hh"
#include "scenarios/engine/terminal/line_editor.hh"

namespace tcplab::engine {

struct ShellOptions {
  RunPlan plan;
  std::vector<std::string> first_lines;  // typed before anybody types
  bool is_terminal = false;              // else: lines of standard input, one after another
  reports::Style style;
};

class Shell {
public:
  explicit Shell(ShellOptions options);
  /// Until somebody quits. Returns the exit status; throws base::LabError.
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
  std::unique_ptr<LineEditor> editor_;  // of a terminal
  ShellScreen screen_;
  ShellHistory history_;
  SessionRecord record_;
  RunChannelReader channel_;
  std::optional<RunControl> control_;
  std::unique_ptr<PipeReader> reader_;
  std::optional<boost::asio::posix::stream_descriptor> end_;  // of the run's process

  std::deque<std::string> lines_;  // to be taken before any other
  std::string partial_;            // of standard input
  bool input_ended_ = false;
  std::string pending_;  // typed, and not a whole statement yet
  std::map<std::string, std::string> names_;
  std::string attached_;  // the global that stands for the program
  bool busy_ = false;     // a turn goes on
  bool asks_states_ = false;
  std::string waiting_;                 // what the turn waits for
  std::optional<nlohmann::json> turn_;  // is over, and not shown yet
  pid_t run_process_ = 0;
  base::Instant changed_{};  // when something happened last
  base::Instant submitted_{};
  bool quitting_ = false;
  int failures_ = 0;
  int signal_ = 0;  // that ended it
  std::optional<int> run_status_;
  std::string reason_;
};

}  // namespace tcplab::engine
