// Starts programs for verbs, and waits until dnc listens.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/script/script_context.hh"

namespace tcplab::app {

/// How long dnc may take until it listens, and a connection until it is established.
inline constexpr base::nanoseconds kReadyWithin = std::chrono::seconds(5);

/// Returns the words of a command, from argument `first` on: texts, numbers, and hosts by their
/// names.
std::vector<std::string> command_words(LuaCall& call, int first);

/// Starts a program. Throws Skip if it is not installed.
lab::LabProgram& start_program(ScriptContext& context, lab::LabHost& host,
                               const std::vector<std::string>& command,
                               const lab::ProgramOptions& options = {});

/// True if a dnc with these words waits for connections.
bool asks_to_listen(const std::vector<std::string>& words);

/// True for the event that the program has ended.
bool is_end_of(const lab::LabProgram& program, const capture::Event& event);

/// Holds when dnc has called listen(2) since that event. Fails at once if dnc ends before.
std::unique_ptr<Condition> dnc_listens(ScriptContext& context, const lab::LabProgram& program,
                                       std::uint64_t since);

}  // namespace tcplab::app
