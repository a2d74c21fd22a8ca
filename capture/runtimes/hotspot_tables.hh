// What HotSpot says of its own structures: the tables that libjvm.so exports for the serviceability
// agent (vmStructs.hpp). They give the offsets of fields, the sizes of types and the values of
// constants.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "capture/memory/process_image.hh"
#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

constexpr Address kHotspotWord = sizeof(Address);

class HotspotTables {
public:
  /// Reads the tables. `symbols`: those of libjvm.so that begin with "gHotSpotVM".
  HotspotTables(const ProcessMemory& memory, const Symbols& symbols);

  /// Returns true if this version has the field: "Method::_constMethod".
  bool has(std::string_view field) const { return fields_.contains(field); }

  /// Returns the offset of a field in its structure. What a version lacks throws UnreadableMemory.
  Address offset(std::string_view field) const;

  /// Returns the address of a static field.
  Address address(std::string_view field) const;

  /// Returns the size of a type in bytes.
  Address size(std::string_view type) const;

  int constant(std::string_view name) const;

private:
  struct Field {
    bool is_static = false;
    Address place = 0;
  };

  template <typename Value>
  using Table = std::map<std::string, Value, std::less<>>;

  void read_fields(const ProcessMemory& memory, const Symbols& symbols);
  void read_sizes(const ProcessMemory& memory, const Symbols& symbols);
  void read_constants(const ProcessMemory& memory, const Symbols& symbols);

  Table<Field> fields_;
  Table<Address> sizes_;
  Table<int> constants_;
};

}  // namespace tcplab::capture
