#include "tests/capture/runtimes/hotspot_memory.hh"

#include <array>

namespace tcplab::test {

using capture::Address;

namespace {

// The entries of the tables, as in vmStructs.hpp.
constexpr Address kFieldEntry = 48;
constexpr Address kTypeEntry = 40;
constexpr Address kConstantEntry = 16;

}  // namespace

std::size_t HotspotMemory::read(Address from, std::span<std::byte> into) const {
  std::size_t count = 0;
  for (auto at = bytes_.find(from);
       count < into.size() && at != bytes_.end() && at->first == from + count; ++at)
    into[count++] = at->second;
  return count;
}

void HotspotMemory::write(Address at, std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) bytes_[at++] = byte;
}

void HotspotMemory::put_text(Address at, const std::string& text) {
  write(at, std::as_bytes(std::span(text)));
}

HotspotExports::HotspotExports(HotspotMemory& memory) : memory_(memory) {
  symbol("gHotSpotVMStructs", next_field_);
  symbol("gHotSpotVMStructEntryArrayStride", kFieldEntry);
  symbol("gHotSpotVMStructEntryTypeNameOffset", 0);
  symbol("gHotSpotVMStructEntryFieldNameOffset", 8);
  symbol("gHotSpotVMStructEntryIsStaticOffset", 24);
  symbol("gHotSpotVMStructEntryOffsetOffset", 32);
  symbol("gHotSpotVMStructEntryAddressOffset", 40);
  symbol("gHotSpotVMTypes", next_type_);
  symbol("gHotSpotVMTypeEntryArrayStride", kTypeEntry);
  symbol("gHotSpotVMTypeEntryTypeNameOffset", 0);
  symbol("gHotSpotVMTypeEntrySizeOffset", 32);
  symbol("gHotSpotVMIntConstants", next_constant_);
  symbol("gHotSpotVMIntConstantEntryArrayStride", kConstantEntry);
  symbol("gHotSpotVMIntConstantEntryNameOffset", 0);
  symbol("gHotSpotVMIntConstantEntryValueOffset", 8);
  for (const Address end : {next_field_, next_type_, next_constant_}) memory_.put(end, Address{0});
}

void HotspotExports::symbol(const std::string& name, Address value) {
  symbols_[name] = next_symbol_;
  memory_.put(next_symbol_, value);
  next_symbol_ += sizeof value;
}

Address HotspotExports::text(const std::string& text) {
  const Address at = next_text_;
  memory_.put_text(at, text + '\0');
  next_text_ += text.size() + 2;
  return at;
}

void HotspotExports::field(const std::string& type, const std::string& name, Address offset) {
  memory_.put(next_field_, std::array<Address, 6>{text(type), text(name), 0, 0, offset, 0});
  memory_.put(next_field_ += kFieldEntry, Address{0});
}

void HotspotExports::static_field(const std::string& type, const std::string& name,
                                  Address address) {
  memory_.put(next_field_, std::array<Address, 6>{text(type), text(name), 0, 1, 0, address});
  memory_.put(next_field_ += kFieldEntry, Address{0});
}

void HotspotExports::size(const std::string& type, Address size) {
  memory_.put(next_type_, std::array<Address, 5>{text(type), 0, 0, 0, size});
  memory_.put(next_type_ += kTypeEntry, Address{0});
}

void HotspotExports::constant(const std::string& name, int value) {
  memory_.put(next_constant_, text(name));
  memory_.put(next_constant_ + 8, value);
  memory_.put(next_constant_ += kConstantEntry, Address{0});
}

}  // namespace tcplab::test
