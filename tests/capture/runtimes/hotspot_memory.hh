// A process with the tables that HotSpot exports, and as much of a method as its name needs.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "capture/memory/process_memory.hh"
#include "capture/runtimes/hotspot_tables.hh"

namespace tcplab::test {

class HotspotMemory final : public capture::ProcessMemory {
public:
  std::size_t read(capture::Address from, std::span<std::byte> into) const override;

  void write(capture::Address at, std::span<const std::byte> bytes);

  template <typename Value>
  void put(capture::Address at, Value value) {
    write(at, std::as_bytes(std::span(&value, 1)));
  }

  void put_text(capture::Address at, const std::string& text);

private:
  std::map<capture::Address, std::byte> bytes_;
};

/// Writes the tables of vmStructs. Fields, sizes and constants are added one by one.
class HotspotExports {
public:
  explicit HotspotExports(HotspotMemory& memory);

  /// "Method", "_constMethod"
  void field(const std::string& type, const std::string& name, capture::Address offset);
  void static_field(const std::string& type, const std::string& name, capture::Address address);
  void size(const std::string& type, capture::Address size);
  void constant(const std::string& name, int value);

  const capture::Symbols& symbols() const { return symbols_; }

private:
  void symbol(const std::string& name, capture::Address value);
  capture::Address text(const std::string& text);

  HotspotMemory& memory_;
  capture::Symbols symbols_;
  capture::Address next_symbol_ = 0x1000;
  capture::Address next_text_ = 0x100000;
  capture::Address next_field_ = 0x200000;
  capture::Address next_type_ = 0x300000;
  capture::Address next_constant_ = 0x400000;
};

}  // namespace tcplab::test
