// What lab:expect and lab:never give to a script: about whom something is expected. Its verbs are
// functions of lua_expect*.cc.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/script/pattern.hh"

namespace tcplab::engine {

inline constexpr base::nanoseconds kPatience = std::chrono::seconds(5);

/// About whom something is expected, and for how long: before `span` is over, or never in it.
struct Subject {
  static constexpr const char* kLuaName = "expectation";
  LabHost* host = nullptr;
  LabProgram* program = nullptr;  // null: the host as a whole
  base::nanoseconds span = kPatience;
  bool never = false;

  std::string title() const { return program != nullptr ? program->title() : host->name(); }
  std::string stream(const std::string& kind) const {
    return kind + " " + host->name() + (program != nullptr ? "/" + program->name() : "");
  }
  bool owns(const ConnectionKey& key) const {
    return program == nullptr ? key.remote.port != 0 : program->owns(key);
  }
};

Subject& subject_of(LuaCall& call);

/// Waits for the pattern as the subject says, at the script's line.
int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::unique_ptr<Pattern> pattern);

/// subject:kernel("reset", "NO_SOCKET")
int subject_kernel(LuaCall& call);

}  // namespace tcplab::engine
