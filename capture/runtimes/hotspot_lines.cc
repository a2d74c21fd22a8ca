#include "capture/runtimes/hotspot_lines.hh"

#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

std::uint32_t HotspotNumbers::byte() {
  if (at_ >= bytes_.size()) throw UnreadableMemory("a number without an end");
  return std::to_integer<std::uint32_t>(bytes_[at_++]);
}

std::uint32_t HotspotNumbers::number() {
  constexpr std::uint32_t kBits = 6;
  constexpr std::uint32_t kLongest = 5;
  const std::uint32_t excluded = packing_ == HotspotPacking::without_zeros ? 1 : 0;
  const std::uint32_t last = 256 - (1U << kBits) - excluded;  // smaller digits end the number
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < kLongest; ++i) {
    const std::uint32_t digit = byte() - excluded;
    value += digit << kBits * i;
    if (digit < last) break;
  }
  return value;
}

std::int32_t HotspotNumbers::signed_number() {
  const std::uint32_t value = number();
  const std::uint32_t size = value >> 1;
  return static_cast<std::int32_t>((value & 1) != 0 ? ~size : size);
}

int hotspot_line(HotspotPacking packing, std::span<const std::byte> table, int bytecode) {
  constexpr std::uint32_t kEnd = 0;
  constexpr std::uint32_t kLong = 0xff;
  constexpr std::int64_t kMostLines = 0xffff;  // LineNumberTable of a class file has 16 bits
  HotspotNumbers numbers(packing, table);
  std::int64_t at = 0;
  std::int64_t line = 0;
  std::int64_t best = -1;  // the bytecode whose entry was taken; entries need not be in order
  std::int64_t best_line = 0;
  for (std::uint32_t head = numbers.byte(); head != kEnd; head = numbers.byte()) {
    const bool is_long = head == kLong;
    at += is_long ? numbers.signed_number() : static_cast<std::int32_t>(head >> 3);
    line += is_long ? numbers.signed_number() : static_cast<std::int32_t>(head & 7);
    if (at > bytecode || at < best) continue;
    best = at;
    best_line = line;
    if (at == bytecode) break;
  }
  return best_line > 0 && best_line <= kMostLines ? static_cast<int>(best_line) : 0;
}

}  // namespace tcplab::capture
