// Numbers as HotSpot packs them (UNSIGNED5), and what is stored so: the lines of a method, and the
// scopes of compiled code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tcplab::capture {

/// How a version packs numbers (unsigned5.hpp).
enum class HotspotPacking : std::uint8_t {
  with_zeros,     // up to Java 19
  without_zeros,  // from 20 on, no byte of a number is 0
};

/// Packed numbers, one after the other. Reading past the end throws UnreadableMemory.
class HotspotNumbers {
public:
  HotspotNumbers(HotspotPacking packing, std::span<const std::byte> bytes)
      : packing_(packing), bytes_(bytes) {}

  std::uint32_t byte();

  /// Bytes of six bits each, the lowest first. The low 192 values (191 without zeros) of a byte end
  /// the number, and the fifth byte does.
  std::uint32_t number();

  /// The lowest bit is the sign.
  std::int32_t signed_number();

private:
  HotspotPacking packing_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Returns the line of the bytecode at index `bytecode`, from the compressed table of its method;
/// 0 if the table gives it none.
int hotspot_line(HotspotPacking packing, std::span<const std::byte> table, int bytecode);

}  // namespace tcplab::capture
