// Expectations about a host or a program. lab:expect and lab:never make a subject, which says about
// whom and for how long; its verbs, in lua_expect_*.cc, say what is expected.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/script/pattern.hh"

namespace tcplab::engine {

inline constexpr base::nanoseconds kPatience = std::chrono::seconds(5);

struct Subject {
  static constexpr const char* kLuaName = "subject";
  LabHost* host = nullptr;
  LabProgram* program = nullptr;  // null: the host as a whole
  base::nanoseconds span = kPatience;
  bool never = false;                         // it must not happen within `span`
  std::optional<ConnectionKey> connection{};  // only that one; `program` is null

  std::string title() const;
  std::string stream(const std::string& kind) const {
    if (connection) return kind + " " + title();
    return kind + " " + host->name() + (program != nullptr ? "/" + program->name() : "");
  }
  bool owns(const ConnectionKey& key) const {
    if (connection) return key == *connection;
    return program == nullptr ? key.remote.port != 0 : program->owns(key);
  }
};

/// The subject that a verb was called on.
Subject& subject_of(LuaCall& call);

/// The subject's program. Throws base::UsageError if the subject is a host.
LabProgram& program_of(const Subject& subject);

/// Waits for the pattern as the subject says, at the script's line.
int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::unique_ptr<Pattern> pattern);

}  // namespace tcplab::engine
