// FNV-1a of 64 bits, a hash that is the same on every machine: std::hash may differ from one
// library to the next. http://www.isthe.com/chongo/tech/comp/fnv/
#pragma once

#include <cstdint>
#include <string_view>

namespace tcplab::base {

inline constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325;

/// Returns the hash of these bytes; of the bytes before them, too, if `hash` is theirs.
constexpr std::uint64_t fnv_hash(std::string_view bytes, std::uint64_t hash = kFnvBasis) {
  for (const char byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace tcplab::base
