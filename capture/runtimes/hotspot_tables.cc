#include "capture/runtimes/hotspot_tables.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostEntries = 20'000;

/// The entries of one exported table: "gHotSpotVMStructs" with the prefix "gHotSpotVMStructEntry"
/// of the symbols that say how it is laid out.
class TableEntries {
public:
  TableEntries(const ProcessMemory& memory, const Symbols& symbols, const std::string& table,
               std::string entry)
      : memory_(memory),
        symbols_(symbols),
        entry_(std::move(entry)),
        at_(memory.pointer(address_of(symbols, table))),
        stride_(variable("ArrayStride")),
        name_(variable(table == "gHotSpotVMIntConstants" ? "NameOffset" : "TypeNameOffset")) {}

  /// Returns the value of "gHotSpotVMStructEntryOffsetOffset" for "OffsetOffset".
  Address variable(std::string_view name) const {
    return memory_.pointer(address_of(symbols_, entry_ + std::string(name)));
  }

  /// Calls `use` with the address and the name of each entry. The last one has no name.
  template <typename Use>
  void for_each(Use use) {
    for (std::size_t count = 0; count < kMostEntries; ++count) {
      const Address name = memory_.pointer(at_ + name_);
      if (name == 0) return;
      use(at_, memory_.c_string(name));
      at_ += stride_;
    }
    throw UnreadableMemory("a table without an end");
  }

private:
  const ProcessMemory& memory_;
  const Symbols& symbols_;
  std::string entry_;
  Address at_;
  Address stride_;
  Address name_;
};

template <typename Table>
const auto& found(const Table& table, std::string_view name) {
  const auto at = table.find(name);
  if (at == table.end()) throw UnreadableMemory("HotSpot has no " + std::string(name));
  return at->second;
}

}  // namespace

HotspotTables::HotspotTables(const ProcessMemory& memory, const Symbols& symbols) {
  read_fields(memory, symbols);
  read_sizes(memory, symbols);
  read_constants(memory, symbols);
}

void HotspotTables::read_fields(const ProcessMemory& memory, const Symbols& symbols) {
  TableEntries entries(memory, symbols, "gHotSpotVMStructs", "gHotSpotVMStructEntry");
  const Address field_name = entries.variable("FieldNameOffset");
  const Address is_static = entries.variable("IsStaticOffset");
  const Address offset = entries.variable("OffsetOffset");
  const Address address = entries.variable("AddressOffset");
  entries.for_each([&](Address entry, std::string type) {
    const bool has_address = memory.value<int>(entry + is_static) != 0;
    fields_[std::move(type) + "::" + memory.c_string(memory.pointer(entry + field_name))] = {
        .is_static = has_address,
        .place = memory.pointer(entry + (has_address ? address : offset))};
  });
}

void HotspotTables::read_sizes(const ProcessMemory& memory, const Symbols& symbols) {
  TableEntries entries(memory, symbols, "gHotSpotVMTypes", "gHotSpotVMTypeEntry");
  const Address size = entries.variable("SizeOffset");
  entries.for_each([&](Address entry, std::string type) {
    sizes_[std::move(type)] = memory.pointer(entry + size);
  });
}

void HotspotTables::read_constants(const ProcessMemory& memory, const Symbols& symbols) {
  TableEntries entries(memory, symbols, "gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntry");
  const Address value = entries.variable("ValueOffset");
  entries.for_each([&](Address entry, std::string name) {
    constants_[std::move(name)] = memory.value<int>(entry + value);
  });
}

Address HotspotTables::offset(std::string_view field) const {
  const Field& it = found(fields_, field);
  if (it.is_static) throw UnreadableMemory("a field without an offset");
  return it.place;
}

Address HotspotTables::address(std::string_view field) const {
  const Field& it = found(fields_, field);
  if (!it.is_static) throw UnreadableMemory("a field without an address");
  return it.place;
}

Address HotspotTables::size(std::string_view type) const { return found(sizes_, type); }

int HotspotTables::constant(std::string_view name) const { return found(constants_, name); }

}  // namespace tcplab::capture
