// The scripting interface as values: classes with their verbs and fields, tables of options, and
// words that an argument may be. Each part of the interface is registered once, beside its
// functions; the binding, completion, editor/*.lua and the test of docs/scenarios.md read it here.
#pragma once

#include <limits>
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::app {

class LuaCall;

/// Does what a verb does. Returns the number of values pushed, or kSuspend.
using LuaFunction = int (*)(LuaCall&);

/// The numbers that a parameter may have. `tcplab check` and the runs refuse others.
struct LuaRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  const char* unit = "";  // "seconds"
};

/// The longest time that a script can wait for, a year, in seconds.
inline constexpr double kLongestSpan = 86'400.0 * 365;

inline constexpr LuaRange kPortRange = {1, 0xffff};
inline constexpr LuaRange kByteRange = {0, 0xff};
inline constexpr LuaRange kField16Range = {0, 0xffff};  // a field of 16 bits
// A sequence number (RFC 9293 section 3.4). A relative one may be negative.
inline constexpr LuaRange kSequenceRange = {-4294967295.0, 4294967295.0};
inline constexpr LuaRange kSpanRange = {0, kLongestSpan, "seconds"};

/// An argument of a verb, or a field of a table. Types are those of the Lua language server.
struct LuaParameter {
  const char* name;  // with a question mark, if it may be left out: "filter?"
  const char* type;
  const char* doc = "";
  LuaRange range = {};
};

struct LuaVerb {
  const char* name;
  LuaFunction function;
  const char* doc;  // one line
  std::vector<LuaParameter> parameters = {};
  std::vector<const char*> results = {};  // types, each with a name if it needs one: "host kang"
  const char* overload = "";              // another way to call it, as a type
  bool ends_run = false;                  // the script does not run on after it
  /// Throws base::UsageError for arguments that have the right types, but are wrong in themselves.
  /// Needs no run. May be null.
  void (*check)(LuaCall&) = nullptr;
};

/// A field of an object. `function` pushes its current value.
struct LuaField {
  const char* name;
  LuaFunction function;
  const char* type;
  const char* doc = "";
  bool is_constant = false;  // `function` needs no run
};

/// What scripts call with a colon. Several files may each register a part of one class.
struct LuaClass {
  const char* name;
  lua_CFunction collect;
  std::vector<LuaVerb> verbs = {};
  std::vector<LuaField> fields = {};
  const char* doc = "";
  /// Returns what tostring() gives of an object, "host kang". Null: the name of the class and a
  /// number (stable_text()).
  std::string (*text)(const void* object) = nullptr;
};

/// The fields of a table, such as the options of a verb.
struct LuaTable {
  const char* name;
  const char* doc;
  std::vector<LuaParameter> fields;
  const LuaTable* base = nullptr;  // has these fields too
  /// Throws base::UsageError for fields that are right one by one, but not together. The table is
  /// on top of the stack, and stays there; it has no unknown values. Needs no run. May be null.
  void (*check)(lua_State* lua) = nullptr;
};

/// A type of texts: the words that such an argument may be.
struct LuaWords {
  const char* name;
  std::vector<std::string> words = {};
  bool has_others = false;  // other texts are allowed too
  /// Throws base::UsageError for a text that is not allowed. May be null.
  void (*check)(const std::string& text) = nullptr;
};

/// What one file registers.
struct LuaModule {
  std::vector<LuaClass> classes = {};
  std::vector<const LuaTable*> tables = {};
  std::vector<LuaWords> words = {};
};

/// The parts of all modules together; classes of the same name become one.
class LuaInterface {
public:
  explicit LuaInterface(const std::vector<LuaModule>& modules);

  const std::vector<LuaClass>& classes() const { return classes_; }
  const std::vector<const LuaTable*>& tables() const { return tables_; }
  const std::vector<LuaWords>& words() const { return words_; }

  /// Returns null if there is none.
  const LuaClass* find_class(std::string_view name) const;
  const LuaTable* find_table(std::string_view name) const;
  const LuaWords* find_words(std::string_view type) const;
  /// Finds a verb of that class; with an empty class, of any class but `lab`.
  const LuaVerb* find_verb(std::string_view class_name, std::string_view name) const;

private:
  void add(const LuaClass& part);

  std::vector<LuaClass> classes_;
  std::vector<const LuaTable*> tables_;
  std::vector<LuaWords> words_;
};

/// Returns what a number must be: "a whole number from 1 to 65535"; empty if `value` is right.
std::string wrong_range(const LuaParameter& parameter, double value);

/// The name without its question mark.
std::string_view plain_name(const LuaParameter& parameter);

/// The names of a table's fields, its own first.
std::vector<std::string> field_names(const LuaTable& table);

}  // namespace tcplab::app
