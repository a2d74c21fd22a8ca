// Expectations about a host, a program or a connection. lab:expect, lab:never and lab:await make a
// subject, which says about whom and for how long; its verbs, in lua_expect_*.cc, say what is
// expected. The same verbs of a host, a program or a connection make a condition, which lab:first
// awaits.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/script/lua_objects.hh"
#include "scenarios/engine/script/suspension.hh"

namespace tcplab::engine {

class ScriptContext;

inline constexpr base::nanoseconds kPatience = std::chrono::seconds(5);

/// What becomes of what a verb waits for.
enum class WaitMode : std::uint8_t {
  expect,     // it must come
  never,      // it must not come
  await,      // the script learns whether it comes
  condition,  // nothing is waited for yet
};

struct Subject {
  static constexpr const char* kLuaName = "subject";
  LabHost* host = nullptr;
  LabProgram* program = nullptr;              // null: the host as a whole, or
  std::optional<ConnectionKey> connection{};  // one connection of it, or of the program
  base::nanoseconds span = kPatience;
  WaitMode mode = WaitMode::expect;
  std::string since{};           // the version of Linux from which on it holds; empty: any
  std::uint64_t unfinished = 0;  // until a verb is called on it

  std::string title() const;
  std::string stream(const std::string& kind) const;
  bool owns(const ConnectionKey& key) const;
};

/// Makes a suspension that ends at that time, after that span. Can be called several times.
using SuspensionMaker =
    std::function<std::unique_ptr<Suspension>(base::Instant deadline, base::nanoseconds span)>;

/// Something that lab:first can await.
struct LuaCondition {
  static constexpr const char* kLuaName = "condition";
  SuspensionMaker make;
  std::uint64_t unfinished = 0;  // until it is awaited
  /// Set for a packet. If it has no fate, lab:when acts as soon as it is sent.
  std::shared_ptr<const PacketPattern> packet{};
};

/// Returns the subject that a verb was called on: lab:expect(...) and its kin, or a host, a program
/// or a connection, for a condition.
Subject subject_of(LuaCall& call);

/// The subject's program. Throws base::UsageError if it has none.
LabProgram& program_of(const Subject& subject);

/// The same for what is about no connection. Throws base::UsageError after `on`.
LabProgram& whole_program_of(const Subject& subject, const std::string& verb);

/// Which calls of the program are meant: those on the connection, if `on` has named one.
OnConnection calls_of(const Subject& subject);

/// Throws base::UsageError unless the subject is of lab:expect: a verb about the present cannot be
/// awaited.
void require_expect(const Subject& subject, const std::string& verb);

/// Returns whether what is expected of the subject holds on the hosts' kernel. If not, notes that
/// it is not checked.
bool is_checked(LuaCall& call, const Subject& subject, const std::string& expected);

/// Waits as the subject says, at the script's line; or makes a condition.
int expect(LuaCall& call, const Subject& subject, SuspensionMaker make);
/// The same for a pattern.
int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::shared_ptr<Pattern> pattern);

/// The same for what only the subject's program can do: the wait fails as soon as the program has
/// ended.
int expect_of_program(LuaCall& call, const Subject& subject, const std::string& stream,
                      std::unique_ptr<Pattern> pattern);

/// Pushes the decisive event as a table. If there is none, because the state was reached already,
/// the table has only `t`, the time now.
void push_event_or_time(ScriptContext& context, lua_State* lua, const Suspension& suspension);

/// Returns why the program can do nothing more: "kang's dnc exited with status 1". Empty if it can,
/// or if a process that it has started may still write.
std::string obstacle(const LabProgram& program);

/// Returns the verbs as those of subjects, and as those of each T, where they make conditions.
template <typename... T>
std::vector<LuaClass> expectation_classes(const std::vector<LuaVerb>& verbs) {
  std::vector<LuaVerb> conditions = verbs;
  for (LuaVerb& verb : conditions)
    if (verb.results != std::vector<const char*>{"expected_call"}) verb.results = {"condition"};
  return {lua_class<Subject>(verbs), lua_class<T>(conditions)...};
}

}  // namespace tcplab::engine
