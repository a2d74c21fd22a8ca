// Finds the place of a bytecode in the source of its function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tcplab::capture {

/// Returns the position in the source, in characters, of the bytecode at `offset`. `table`: the
/// source position table of its function (v8/src/codegen/source-position-table.cc). Nothing if the
/// table has no entry there, or is cut short.
std::optional<std::size_t> v8_position(std::span<const std::byte> table, std::int64_t offset);

/// Returns the line of a position, counted from 1.
int v8_line(std::u16string_view source, std::size_t position);

}  // namespace tcplab::capture
