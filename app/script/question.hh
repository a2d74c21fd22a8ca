// Reads the `quiz` of a scenario: a question with choices.
#pragma once

#include <cstddef>
#include <functional>
#include <lua.hpp>
#include <optional>
#include <string>

#include "reports/text/quiz.hh"

namespace tcplab::app {

// The limits of a scenario's texts, in bytes.
inline constexpr std::size_t kMostLineBytes = 1'000;   // a title, a question, an element of a list
inline constexpr std::size_t kMostTextBytes = 20'000;  // an explanation

/// Returns "`tags` has 7000 elements, at most 100 are allowed"; empty if `count` is not larger than
/// `most`.
std::string too_many(const std::string& what, std::size_t count, const char* unit,
                     std::size_t most);

/// Reads the value on top of the stack, and leaves it there. Returns nothing for nil. Calls `fail`,
/// which does not return, with what is wrong. `asks` is the question if the value has none.
std::optional<reports::QuizQuestion> read_question(
    lua_State* state, const std::string& asks, const std::function<void(const std::string&)>& fail);

}  // namespace tcplab::app
