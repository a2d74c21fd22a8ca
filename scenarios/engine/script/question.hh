// The `quiz` of a scenario's table: a question with answers to choose from.
#pragma once

#include <functional>
#include <lua.hpp>
#include <optional>
#include <string>

#include "reports/text/quiz.hh"

namespace tcplab::engine {

/// Reads the value on top of the stack and leaves it there; nothing where it is nil. `fail` is
/// told what is wrong with it, and does not return. `asks` stands for a question that it leaves
/// out.
std::optional<reports::QuizQuestion> read_question(
    lua_State* state, const std::string& asks, const std::function<void(const std::string&)>& fail);

}  // namespace tcplab::engine
