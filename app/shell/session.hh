// The life of a shell's session (tcplab shell), in the process of the run. Each line is a turn: a
// coroutine of one Lua state, whose globals last. A failed turn does not end the session. The
// process with the terminal sends requests by RunControl, and gets answers by RunChannel:
//   turn TEXT       -> turn {ok, value, error, incomplete, names, cursors, last, lines}
//   stop            ends the wait of the current turn
//   complete TEXT   -> completions {before, prefix, words}
//   states COLUMNS  -> states TEXT
//   quit
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/suite/run_channel.hh"
#include "app/suite/run_control.hh"
#include "app/suite/scripted_run.hh"

namespace tcplab::app {

class Session : public ScriptedRun {
public:
  /// `info` is what the session says about itself. The channel must outlive it.
  Session(const ScriptInfo& info, const lab::LaboratoryConfig& config, base::nanoseconds slack,
          RunChannelWriter& channel, base::FileDescriptor control);

private:
  void begin() override {}  // turns come by RunControl
  void listen();
  void take_turn(const std::string& text);
  int load(const std::string& text);
  void stop_waiting();
  void turn_ended(RunStatus status, const std::string& reason);
  void tell_turn(RunStatus status, const std::string& reason);
  std::string values();
  std::string value_text(int index);
  std::string program_value(lab::LabProgram& program);
  void complete(const std::string& before);
  void quit();

  RunChannelWriter& channel_;
  RunControlListener control_;
  lua_State* thread_ = nullptr;  // of the current turn
  int thread_reference_ = LUA_NOREF;
  std::string text_;            // of the current turn
  bool is_expression_ = false;  // the turn has a value to show
  bool is_statement_ = false;   // the turn could be a line of a script
  int failures_ = 0;
};

/// Returns the words that could complete that text, from the values of the session.
std::vector<std::string> completions(lua_State* lua, const std::string& before,
                                     std::string& prefix);

/// Describes the sockets of all hosts, for a terminal of that width.
std::string socket_states(lab::Laboratory& laboratory, int columns);

/// Turns "local x = 1" into "x = 1": at a prompt, x must outlive its line.
std::string without_local(const std::string& text);

}  // namespace tcplab::app
