// Reads the fields of the table that a scenario returns, and says what is wrong with them.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/script/question.hh"
#include "base/endpoint.hh"
#include "reports/text/quiz.hh"
#include "reports/text/rfc_requirement.hh"

namespace tcplab::app {

/// What is_scenario_word() accepts, for an error message.
inline constexpr const char* kScenarioWord =
    "use only A-Z, a-z, 0-9, \".\", \"_\" and \"-\", and no \".\" or \"-\" at the start";

/// Returns whether the text may be the name of a scenario or a case, or a tag. These are words of
/// command lines and names of folders.
bool is_scenario_word(std::string_view text);

// The limits of a scenario's table. The largest values of the catalogue are a tenth of them.
inline constexpr std::size_t kMostNameBytes = 200;  // it becomes the name of a folder
inline constexpr std::size_t kMostElements = 100;   // of a list of texts
inline constexpr std::size_t kMostCases = 1'000;    // an audit has 150

/// Reads the fields of the table on top of the stack. Errors name the file and the field. All reads
/// are raw: a metamethod is code of the script, which must not run outside its limits.
class FieldReader {
public:
  /// Both must outlive the reader.
  FieldReader(lua_State* state, const std::string& file) : state_(state), file_(file) {}

  /// Throws base::UsageError that begins with the file.
  [[noreturn]] void fail(const std::string& what) const;

  /// Pushes a field, and returns its Lua type.
  int push(const char* field) const;
  /// Returns a text; empty if it is missing and not required.
  std::string text(const char* field, bool required, std::size_t longest = kMostLineBytes) const;
  /// Returns a text that may be as long as an explanation; empty if it is missing.
  std::string long_text(const char* field) const { return text(field, false, kMostTextBytes); }
  /// Replaces `value` by the field, if the table has it.
  void replace(const char* field, std::string& value, std::size_t longest = kMostLineBytes) const;
  /// Returns a version of Linux, "6.5"; empty if it is missing.
  std::string version(const char* field) const;
  std::vector<std::string> texts(const char* field, std::size_t most = kMostElements) const;
  std::vector<base::Family> families() const;
  std::optional<reports::QuizQuestion> quiz() const;
  std::vector<std::string> tags() const;
  /// Returns `requires`, which may have the `known` fields.
  std::optional<reports::RfcRequirement> requirement(const std::vector<std::string>& known) const;
  /// `of` has the field: "a scenario".
  void refuse_unknown_fields(const std::vector<std::string>& known,
                             const std::string& of = "a scenario") const;

private:
  void refuse_excess(const std::string& what, std::size_t count, const char* unit, std::size_t most,
                     const char* cure) const;
  void refuse_names(const char* field) const;

  lua_State* state_;
  const std::string& file_;
};

}  // namespace tcplab::app
