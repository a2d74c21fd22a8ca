// Puts the frames of a language where the native stack has those of its interpreter.
#pragma once

#include <string>
#include <vector>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns the native frames down to the first one of the interpreter, then those of the language.
/// Without frames of the language, returns the native ones.
std::vector<std::string> with_language(std::vector<std::string> native, const Runtime& runtime,
                                       const std::vector<RuntimeFrame>& language);

}  // namespace tcplab::capture
