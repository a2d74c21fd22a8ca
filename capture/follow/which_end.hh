// One of the two ends of a connection, or none, in two octets: a capture can have 200,000
// connections at once.
#pragma once

#include <cstdint>
#include <optional>

namespace tcplab::capture {

using WhichEnd = std::optional<std::uint8_t>;

}  // namespace tcplab::capture
