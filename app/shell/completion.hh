// What may come next in a line of Lua that is being typed, from the text before the cursor and the
// registered scripting interface. Runs nothing. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::app {

struct CompletionQuery {
  enum class Kind : std::uint8_t {
    nothing,
    name,    // a global: "kod"
    member,  // of the value that `path` names: "kodos:pow"; or of the class that a call returns
    text,    // in a quotation that is an argument of `method`: in_state "EST
  };
  Kind kind = Kind::nothing;
  std::string path;        // member: "kodos", "net.kang"
  std::string class_name;  // member of what a call returns: "subject"
  std::string method;      // text
  char separator = 0;      // member: ':' or '.'
  std::string prefix;      // the typed part
};

CompletionQuery completion_query(std::string_view before);

/// The words that the first argument of a verb may be: states, calls, timers. Empty for any text.
std::vector<std::string> words_of(std::string_view method);

/// Returns the longest common prefix.
std::string common_beginning(const std::vector<std::string>& words);

/// Returns the words in columns, in lines of at most `width` characters, if they fit.
std::string in_columns(const std::vector<std::string>& words, std::size_t width);

}  // namespace tcplab::app
