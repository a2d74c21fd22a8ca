// Reads the `quiz` of a scenario: a question with choices.
#pragma once

#include <functional>
#include <lua.hpp>
#include <optional>
#include <string>

#include "reports/text/quiz.hh"

namespace tcplab::engine {

/// Reads the value on top of the stack, and leaves it there. Returns nothing for nil. Calls `fail`,
/// which does not return, with what is wrong. `asks` is the question if the value has none.
std::optional<reports::QuizQuestion> read_question(
    lua_State* state, const std::string& asks, const std::function<void(const std::string&)>& fail);

}  // namespace tcplab::engine
