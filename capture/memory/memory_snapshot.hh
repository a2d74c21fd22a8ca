// Copies what a thread changes when it runs, and reads the copy as if it were the process. Whether
// the thread has run meanwhile shows in a second copy, which then differs.
#pragma once

#include <vector>

#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

struct MemoryRange {
  Address begin = 0;
  Address end = 0;
};

class MemorySnapshot final : public ProcessMemory {
public:
  /// Copies the ranges. Throws UnreadableMemory if one cannot be read, or if a second copy differs.
  /// What is outside of the ranges is read from `memory`.
  MemorySnapshot(const ProcessMemory& memory, const std::vector<MemoryRange>& ranges);

  std::size_t read(Address from, std::span<std::byte> into) const override;

private:
  struct Copy {
    Address begin = 0;
    std::vector<std::byte> bytes;

    bool operator==(const Copy&) const = default;
  };

  static std::vector<Copy> copies_of(const ProcessMemory& memory,
                                     const std::vector<MemoryRange>& ranges);

  const ProcessMemory& memory_;
  std::vector<Copy> copies_;
};

}  // namespace tcplab::capture
