// The rules that change calls of a traced program, and of all that it has started.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "capture/calls/injections.hh"
#include "lab/home/program_options.hh"

namespace tcplab::lab {

class CallWatcher;

/// A rule that has changed no call.
struct IdleInjection {
  GivenInjection given;
  std::uint64_t matches = 0;  // calls that it has counted
};

class ProgramInjections {
public:
  /// `watcher`: traces the program; null: nobody does, and there are no rules.
  ProgramInjections(CallWatcher* watcher, pid_t program) : watcher_(watcher), program_(program) {}

  /// Notes a rule that is in force since the program's start.
  void note(capture::InjectionId id, const GivenInjection& given) { rules_.emplace(id, given); }
  /// Changes calls from their next entry on. The rule is in force when this returns. Returns 0 if
  /// the program has ended.
  capture::InjectionId add(const GivenInjection& given);
  void remove(capture::InjectionId id);
  /// Returns the first rule that has changed no call; empty if there is none.
  std::optional<IdleInjection> first_idle() const;

private:
  CallWatcher* watcher_;
  pid_t program_;
  std::map<capture::InjectionId, GivenInjection> rules_;
};

}  // namespace tcplab::lab
