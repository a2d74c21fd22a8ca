// Names the methods of HotSpot: class, method, source file and line.
#pragma once

#include <string>

#include "capture/runtimes/hotspot_lines.hh"
#include "capture/runtimes/hotspot_tables.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

class HotspotMethods {
public:
  static constexpr int kNoBytecode = -1;  // of a native method, or before the first bytecode

  HotspotMethods(const ProcessMemory& memory, const HotspotTables& tables, HotspotPacking packing);

  /// Returns the name of a method, and the line of its bytecode at that index. Throws
  /// UnreadableMemory if `method` is none: its class must list it.
  RuntimeFrame name(Address method, int bytecode) const;

  /// Returns the index of the bytecode at an address. Throws UnreadableMemory if it is outside of
  /// the method. A native method has no bytecodes.
  int bytecode(Address method, Address address) const;

private:
  struct Offsets {
    Address method_const = 0;  // Method::_constMethod
    Address method_flags = 0;
    Address const_pool = 0;  // ConstMethod::_constants
    Address const_flags = 0;
    Address const_has_lines = 0;  // a bit of the flags
    Address const_words = 0;
    Address const_name = 0;
    Address const_code_size = 0;
    Address const_size = 0;  // of the structure; the bytecodes follow
    Address pool_holder = 0;
    Address pool_length = 0;
    Address pool_file = 0;
    Address pool_tags = 0;
    Address pool_size = 0;  // of the structure; the constants follow
    Address class_name = 0;
    Address class_methods = 0;
    Address array_length = 0;
    Address array_methods = 0;
    Address array_bytes = 0;
    Address symbol_length = 0;
    Address symbol_text = 0;
  };

  static Offsets offsets_in(const HotspotTables& tables);
  void check_method(Address method, Address holder) const;
  std::string symbol(Address symbol) const;
  std::string text_in_pool(Address pool, std::uint16_t index) const;
  int line(Address const_method, int bytecode) const;

  const ProcessMemory& memory_;
  Offsets at_;
  HotspotPacking packing_;
};

}  // namespace tcplab::capture
