// Finds the line of an instruction in the line table of a CPython code object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "capture/runtimes/python_layout.hh"

namespace tcplab::capture {

/// `offset`: of the instruction, in bytes. `first`: the line of the function's definition
/// (co_firstlineno). Returns 0 if the table gives it no line.
int python_line(PythonLines kind, std::span<const std::byte> table, std::uint64_t offset,
                int first);

}  // namespace tcplab::capture
