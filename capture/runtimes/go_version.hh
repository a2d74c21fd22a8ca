// The version of Go that a program was built with.
#pragma once

#include <string>
#include <string_view>

#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

/// Returns "1.19.8"; empty if not known. `information`: the section .go.buildinfo
/// (debug/buildinfo), which stripped programs have, too. `variable`: runtime.buildVersion. Either
/// may be 0.
std::string go_version(const ProcessMemory& memory, Address information, Address variable);

/// Returns "1.19" for "1.19.8"; empty if it is no version.
std::string short_go_version(std::string_view version);

}  // namespace tcplab::capture
