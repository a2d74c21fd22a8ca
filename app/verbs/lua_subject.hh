// Expectations about a host, a program or a connection. lab:expect, lab:never and lab:await return
// a subject: the object of the expectation, and a time limit. A verb of the subject
// (lua_expect_*.cc) says what is expected, and waits. The same verb, called on a host, a program or
// a connection itself, waits for nothing: it returns a condition, which lab:first and lab:when
// take.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/lua_binding.hh"
#include "app/script/lua_objects.hh"
#include "app/script/suspension.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

class ScriptContext;

inline constexpr base::nanoseconds kPatience = std::chrono::seconds(5);

/// What a verb of a subject does.
enum class WaitMode : std::uint8_t {
  expect,     // waits; the run fails if the event does not come
  never,      // waits; the run fails if the event comes
  await,      // waits, and returns whether the event came
  condition,  // returns a condition, and does not wait
};

struct Subject {
  static constexpr const char* kLuaName = "subject";
  lab::LabHost* host = nullptr;
  lab::LabProgram* program = nullptr;              // null: the host as a whole, or
  std::optional<lab::ConnectionKey> connection{};  // one connection of it, or of the program
  base::nanoseconds span = kPatience;
  WaitMode mode = WaitMode::expect;
  std::string since{};           // the version of Linux from which on it holds; empty: any
  std::uint64_t unfinished = 0;  // until a verb is called on it

  std::string title() const;
  std::string text() const { return "subject " + title(); }
  std::string stream(const std::string& kind) const;
  bool owns(const lab::ConnectionKey& key) const;
};

/// Makes a suspension with this deadline, which is `span` from now. Can be called several times.
using SuspensionMaker =
    std::function<std::unique_ptr<Suspension>(base::Instant deadline, base::nanoseconds span)>;

/// A condition: an argument of lab:first and lab:when.
struct LuaCondition {
  static constexpr const char* kLuaName = "condition";
  SuspensionMaker make;
  std::uint64_t unfinished = 0;  // until it is awaited
  /// Set for a packet. If it has no fate, lab:when acts as soon as it is sent.
  std::shared_ptr<const PacketPattern> packet{};
};

/// Returns the subject that a verb was called on. If that is a host, a program or a connection
/// itself, returns a subject for a condition.
Subject subject_of(LuaCall& call);

/// Returns the subject's program. Throws base::UsageError if it has none.
lab::LabProgram& program_of(const Subject& subject);

/// Returns the subject's program for a verb that is not about a connection. Throws base::UsageError
/// also if the subject has a connection (`lab:expect(program):on(connection)`).
lab::LabProgram& whole_program_of(const Subject& subject, const std::string& verb);

/// Selects the calls of the program: those on the subject's connection, or all if it has none.
OnConnection calls_of(const Subject& subject);

/// Throws base::UsageError unless the subject comes from lab:expect: a verb about the present state
/// cannot be awaited.
void require_expect(const Subject& subject, const std::string& verb);

/// Returns whether the hosts' kernel is new enough for the expectation (Subject::since). If not,
/// records that the expectation is not checked.
bool is_checked(LuaCall& call, const Subject& subject, const std::string& expected);

/// Waits as the subject's mode says, and attributes the verdict to the script's line; or returns a
/// condition.
int expect(LuaCall& call, const Subject& subject, SuspensionMaker make);
/// The same for a pattern.
int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::shared_ptr<Pattern> pattern);

/// The same for an event that only the subject's program can cause. The wait fails as soon as the
/// program has ended.
int expect_of_program(LuaCall& call, const Subject& subject, const std::string& stream,
                      std::unique_ptr<Pattern> pattern);

/// Pushes the decisive event as a table. If there is none, because the state was reached already,
/// the table has only `t`, the time now.
void push_event_or_time(ScriptContext& context, lua_State* lua, const Suspension& suspension);

/// Returns why the program can do nothing more: "kang's dnc exited with status 1". Empty if it can,
/// or if a process that it has started may still write.
std::string obstacle(const lab::LabProgram& program);

/// Returns classes with these verbs: Subject, and each T, where the verbs return conditions.
template <typename... T>
std::vector<LuaClass> expectation_classes(const std::vector<LuaVerb>& verbs) {
  std::vector<LuaVerb> conditions = verbs;
  for (LuaVerb& verb : conditions)
    if (verb.results != std::vector<const char*>{"expected_call"}) verb.results = {"condition"};
  return {lua_class<Subject>(verbs), lua_class<T>(conditions)...};
}

}  // namespace tcplab::app
