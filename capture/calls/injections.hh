// The rules by which a script changes system calls of traced programs: which call is changed, and
// how. Knows nothing of processes: the tracer asks it, and acts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "capture/event/event.hh"

namespace tcplab::capture {

/// Whose calls: what Tracer::seize() was given for the program or for one of its ancestors.
using TracedProgram = std::uint64_t;

/// Names a rule, to remove it.
using InjectionId = std::uint64_t;

/// What happens to one call: first the delay, then the error, or fewer bytes.
struct CallChange {
  int error = 0;            // it never reaches the kernel; 0: it does
  std::uint64_t bytes = 0;  // the most that it moves; 0: as many as the program asks for
  base::nanoseconds delay{};

  bool operator==(const CallChange&) const = default;
};

/// What rules ask about a call at its entry, besides the event. Some answers take system calls.
class CallFacts {
public:
  virtual ~CallFacts() = default;
  /// Returns the TCP state of its socket; empty if it has no socket.
  virtual std::optional<TcpState> state() const = 0;
  /// Returns how many bytes its socket has moved in the call's direction.
  virtual std::uint64_t bytes_before() const = 0;
  /// Returns how many bytes the program asks for; 0 if that cannot be limited.
  virtual std::uint64_t bytes_asked() const = 0;
};

class Injections {
public:
  bool is_empty() const { return rules_.empty(); }

  /// The rule is in force from the next entry of a call on.
  void add(InjectionId id, TracedProgram program, InjectionRule rule);
  /// Does nothing if the rule is not there any more.
  void remove(InjectionId id) { rules_.erase(id); }
  /// Ends all rules of a program, which has ended.
  void forget(TracedProgram program);

  /// Returns how many calls the rule has matched without changing one; nothing if it has changed
  /// one, or was removed.
  std::optional<std::uint64_t> idle_matches(InjectionId id) const;

  /// Counts the call for each rule that it matches, and returns what to do. If several rules would
  /// change it, the oldest does, and the others change the next that matches.
  std::optional<CallChange> at_entry(TracedProgram program, const Call& call,
                                     const CallFacts& facts);

private:
  struct Counted {
    TracedProgram program;
    InjectionRule rule;
    std::uint64_t matched = 0;
    std::uint64_t changed = 0;
  };

  std::map<InjectionId, Counted> rules_;
  std::map<InjectionId, std::uint64_t> ended_idle_;  // of programs that have ended: idle_matches()
};

/// Whether a rule can change calls of that name or family. close(2) and dup(2) always succeed in
/// practice, and the kernel closes a descriptor even if close(2) fails.
bool is_injectable(std::string_view call);

/// Whether such calls are about one connection: then a rule can ask for it or for its state.
bool is_about_connection(std::string_view call);

}  // namespace tcplab::capture
