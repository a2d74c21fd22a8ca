// Finds out what is to be completed in a line of Lua, from the text before the cursor. It runs none
// of the text. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::engine {

struct CompletionQuery {
  enum class Kind : std::uint8_t {
    nothing,
    name,    // a global: "kod"
    member,  // a member of the value at `path`, as in "kodos:pow", or of the class a call returns
    text,    // a string that is the argument of `method`: in_state "EST
  };
  Kind kind = Kind::nothing;
  std::string path;        // member: "kodos", "net.kang"
  std::string class_name;  // member: the class that a call returns, "expectation"
  std::string method;      // text
  char separator = 0;      // member: ':' or '.'
  std::string prefix;      // the part that is already typed
};

CompletionQuery completion_query(std::string_view before);

/// Returns the words that a method accepts as its string argument: states, calls, errors. Empty if
/// it accepts any text.
const std::vector<std::string>& words_of(std::string_view method);

/// Returns the longest common prefix.
std::string common_beginning(const std::vector<std::string>& words);

}  // namespace tcplab::engine
