// The scripting interface as values: classes with their verbs and fields, tables of options, and
// words that an argument may be. Each part of the interface is registered once, beside its
// functions; the binding, completion, editor/*.lua and the test of docs/scenarios.md read it here.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::engine {

class LuaCall;

/// Does what a verb does. Returns the number of values pushed, or kSuspend.
using LuaFunction = int (*)(LuaCall&);

/// An argument of a verb, or a field of a table. Types are those of the Lua language server.
struct LuaParameter {
  const char* name;  // with a question mark, if it may be left out: "filter?"
  const char* type;
  const char* doc = "";
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

/// An old name of a verb. It works, prints a notice, and is not offered to anybody.
struct RenamedVerb {
  const char* old_name;
  const char* name;
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
  std::vector<RenamedVerb> renamed = {};
  const char* doc = "";
};

/// The fields of a table, such as the options of a verb.
struct LuaTable {
  const char* name;
  const char* doc;
  std::vector<LuaParameter> fields;
  const LuaTable* base = nullptr;  // has these fields too
};

/// An earlier name of a word that a script may say. It works, and prints a notice.
struct RenamedWord {
  const char* old_word;
  const char* word;
};

/// A type of texts: the words that such an argument may be.
struct LuaWords {
  const char* name;
  std::vector<std::string> words = {};
  bool has_others = false;  // other texts are allowed too
  std::vector<RenamedWord> renamed = {};
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

/// The name without its question mark.
std::string_view plain_name(const LuaParameter& parameter);

/// The names of a table's fields, its own first.
std::vector<std::string> field_names(const LuaTable& table);

}  // namespace tcplab::engine
