#include "capture/memory/process_memory.hh"

#include <algorithm>

#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;

}  // namespace

void ProcessMemory::read_all(Address from, std::span<std::byte> into) const {
  if (from == 0 || read(from, into) != into.size())
    throw UnreadableMemory("memory that cannot be read");
}

std::vector<std::byte> ProcessMemory::bytes(Address from, std::size_t size) const {
  if (size > kMostBytes) throw UnreadableMemory("an implausible size");
  std::vector<std::byte> bytes(size);
  if (size > 0) read_all(from, bytes);
  return bytes;
}

std::string ProcessMemory::text(Address from, std::size_t size) const {
  const std::vector<std::byte> read = bytes(from, size);
  std::string text(read.size(), '\0');
  std::ranges::transform(read, text.begin(),
                         [](std::byte byte) { return static_cast<char>(byte); });
  return text;
}

std::string ProcessMemory::c_string(Address from, std::size_t limit) const {
  std::vector<std::byte> bytes(limit);
  bytes.resize(from == 0 ? 0 : read(from, bytes));
  const auto end = std::ranges::find(bytes, std::byte{0});
  if (end == bytes.end()) throw UnreadableMemory("a text without an end");
  std::string text;
  for (auto byte = bytes.begin(); byte != end; ++byte) text += static_cast<char>(*byte);
  return text;
}

void ProcessMemory::count_read() const {
  constexpr std::size_t kMostReads = 1'000'000;
  if (++reads_ > kMostReads) throw UnreadableMemory("too many reads");
}

std::size_t LiveMemory::read(Address from, std::span<std::byte> into) const {
  count_read();
  return read_tracee(process_, from, into);
}

}  // namespace tcplab::capture
