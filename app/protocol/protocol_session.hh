// The life of a session that a program drives (tcplab session), in the process of the run. A
// request is a JSON object that calls one verb of the scripting interface, in a coroutine of one
// Lua state.
// docs/session.md describes requests and answers. The process that the client talks to passes them
// on by RunControl and RunChannel:
//   request TEXT -> answer TEXT, or refusal TEXT for a request that failed
//   quit         ends the run
// Before the first request, the session says `ready` with its name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/protocol/handles.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/run_control.hh"
#include "app/suite/scripted_run.hh"

namespace tcplab::app {

class ProtocolSession : public ScriptedRun {
public:
  /// `info` is what the session says about itself. The channel must outlive it.
  ProtocolSession(const ScriptInfo& info, const lab::LaboratoryConfig& config,
                  base::nanoseconds slack, RunChannelWriter& channel, base::FileDescriptor control);

private:
  void begin() override;
  void take_request(const std::string& text);
  void carry_out(const nlohmann::json& request);
  void call(const nlohmann::json& request);
  int load(const std::string& lua_text);
  void turn_ended(RunStatus status, const std::string& reason);
  void tell_turn(RunStatus status, const std::string& reason);
  void add_values();
  void add_events();
  void end_thread();
  void refuse(const std::string& kind, const std::string& message);
  void reply();
  void quit();
  void judge_rest();

  RunChannelWriter& channel_;
  RunControlListener control_;
  Handles handles_;
  lua_State* thread_ = nullptr;  // of the current request; null if none calls a verb
  int thread_reference_ = LUA_NOREF;
  std::string expression_;  // of the current request, for the reader
  nlohmann::ordered_json answer_;
  nlohmann::ordered_json verdicts_;            // of the current request
  std::optional<std::uint64_t> events_after_;  // the client wants the events after this one
  int failures_ = 0;                           // expectations that failed
  bool quits_ = false;
};

}  // namespace tcplab::app
