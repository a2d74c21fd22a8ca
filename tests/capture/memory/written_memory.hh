// The memory of a process that tests write.
#pragma once

#include <map>
#include <string_view>

#include "capture/memory/process_memory.hh"

namespace tcplab::tests {

class WrittenMemory final : public capture::ProcessMemory {
public:
  template <typename Value>
  void put(capture::Address at, Value value) {
    for (const std::byte byte : std::as_bytes(std::span(&value, 1))) bytes_[at++] = byte;
  }

  void put_text(capture::Address at, std::string_view text) {
    for (const char character : text) bytes_[at++] = static_cast<std::byte>(character);
  }

  std::size_t read(capture::Address from, std::span<std::byte> into) const override {
    std::size_t size = 0;
    for (auto byte = bytes_.find(from); size < into.size() && byte != bytes_.end(); ++size)
      byte = next_of(byte, into[size]);
    return size;
  }

private:
  using Bytes = std::map<capture::Address, std::byte>;

  /// Copies a byte. Returns the one after it, or the end if there is a gap.
  Bytes::const_iterator next_of(Bytes::const_iterator byte, std::byte& into) const {
    into = byte->second;
    const auto next = std::next(byte);
    return next != bytes_.end() && next->first == byte->first + 1 ? next : bytes_.end();
  }

  Bytes bytes_;
};

}  // namespace tcplab::tests
