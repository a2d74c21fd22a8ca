#include "capture/memory/memory_snapshot.hh"

#include <algorithm>

namespace tcplab::capture {

MemorySnapshot::MemorySnapshot(const ProcessMemory& memory, const std::vector<MemoryRange>& ranges)
    : memory_(memory), copies_(copies_of(memory, ranges)) {
  if (copies_of(memory, ranges) != copies_)
    throw UnreadableMemory("memory that changes: the thread has left its call");
}

std::vector<MemorySnapshot::Copy> MemorySnapshot::copies_of(
    const ProcessMemory& memory, const std::vector<MemoryRange>& ranges) {
  std::vector<Copy> copies;
  for (const MemoryRange& range : ranges) {
    if (range.end < range.begin) throw UnreadableMemory("a range that ends before its begin");
    copies.push_back({range.begin, memory.bytes(range.begin, range.end - range.begin)});
  }
  return copies;
}

std::size_t MemorySnapshot::read(Address from, std::span<std::byte> into) const {
  for (const Copy& copy : copies_) {
    if (from < copy.begin || from - copy.begin >= copy.bytes.size()) continue;
    const std::span<const std::byte> rest = std::span(copy.bytes).subspan(from - copy.begin);
    const std::size_t count = std::min(rest.size(), into.size());
    std::ranges::copy(rest.first(count), into.begin());
    return count;
  }
  return memory_.read(from, into);
}

}  // namespace tcplab::capture
