// The part of `tcplab shell` that lives in the run's process. Each input is a turn: a chunk of Lua
// in one Lua state, whose globals persist. The process with the terminal sends requests by
// RunControl, and gets the replies by RunChannel:
//   turn TEXT       -> turn {ok, value, error, incomplete, names, cursors, last, lines}
//   stop            ends the wait of the current turn
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
  /// All arguments must outlive the session.
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
  std::string text_;            // the current turn
  bool is_expression_ = false;  // the turn has a value to show
  bool is_statement_ = false;   // the turn is also valid as a line of a script
  int failures_ = 0;
};

/// Returns the words that can complete the text, from the session's values. Sets `prefix` to the
/// part of the word that is already typed.
std::vector<std::string> completions(lua_State* lua, const std::string& before,
                                     std::string& prefix);

/// Returns a table of all sockets of all hosts' kernels, for a terminal of this width.
std::string socket_states(Laboratory& laboratory, int columns);

/// Returns "x = 1" for "local x = 1". A local would be lost at the end of the turn.
std::string without_local(const std::string& text);

}  // namespace tcplab::engine
