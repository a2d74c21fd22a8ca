// The side of a session (tcplab shell) that lives in the run: takes what is typed as turns of one
// Lua state, whose globals last, and says what came of each. The process with the terminal asks for
// all of it by RunControl, and hears by RunChannel:
//   turn TEXT       -> turn {ok, value, error, incomplete, names, cursors, last, lines}
//   stop            the turn stops waiting
//   complete TEXT   -> completions {before, prefix, words}
//   states COLUMNS  -> states TEXT
//   quit
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/suite/run_channel.hh"
#include "scenarios/engine/suite/run_control.hh"

namespace tcplab::engine {

class Session {
public:
  /// All of them outlive the session.
  Session(Experiment& experiment, RunControlListener& control, RunChannelWriter& channel);

private:
  void take_turn(const std::string& text);
  int load(const std::string& text);
  void turn_ended(RunStatus status, const std::string& reason);
  void tell_turn(RunStatus status, const std::string& reason);
  std::string values();
  std::string value_text(int index);
  std::string program_value(LabProgram& program);
  void complete(const std::string& before);
  void quit();

  Experiment& experiment_;
  RunChannelWriter& channel_;
  lua_State* thread_ = nullptr;
  int thread_reference_ = LUA_NOREF;
  std::string text_;            // of the turn that goes on
  bool is_expression_ = false;  // it has a value to show
  bool is_statement_ = false;   // a script could have it as a line
  int failures_ = 0;
};

/// The words that could complete that text, asked of the values that there are.
std::vector<std::string> completions(lua_State* lua, const std::string& before,
                                     std::string& prefix);

/// What the kernels of all hosts say of their sockets, for a terminal so many columns wide.
std::string socket_states(Laboratory& laboratory, int columns);

/// "local x = 1" would forget x at once: at a prompt it is "x = 1".
std::string without_local(const std::string& text);

}  // namespace tcplab::engine
