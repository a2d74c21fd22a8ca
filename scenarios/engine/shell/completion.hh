// What may come next in a line of Lua that is being typed: asked of the text before the cursor,
// without running any of it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::engine {

struct CompletionQuery {
  enum class Kind : std::uint8_t {
    nothing,
    name,    // a global, or a field of nothing yet: "kod"
    member,  // of the value that `path` names: "kodos:pow", or of the class that a call gives
    text,    // inside of a quotation that is `method`'s argument: in_state "EST
  };
  Kind kind = Kind::nothing;
  std::string path;        // member: "kodos", "net.kang"
  std::string class_name;  // member of what a call gives: "expectation"
  std::string method;      // text
  char separator = 0;      // member: ':' or '.'
  std::string prefix;      // what is typed of it so far
};

CompletionQuery completion_query(std::string_view before);

/// The words that a method's quoted argument may be: states, calls, errors. Empty for any text.
const std::vector<std::string>& words_of(std::string_view method);

/// The longest beginning that all of them share.
std::string common_beginning(const std::vector<std::string>& words);

}  // namespace tcplab::engine
