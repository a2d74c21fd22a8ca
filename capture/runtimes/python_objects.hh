// Reads the objects of CPython 3.8 to 3.13 in the memory of a process: texts, numbers, containers,
// and the attributes of instances. Each checks the type of what it reads, and throws
// UnreadableMemory if it is another. What it has read of types and names it keeps: it is for one
// question.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/memory/process_memory.hh"
#include "capture/runtimes/python_layout.hh"

namespace tcplab::capture {

/// The addresses of types that CPython exports.
struct PythonTypes {
  Address code = 0;
  Address text = 0;
  Address bytes = 0;
};

class PythonObjects {
public:
  PythonObjects(const ProcessMemory& memory, const PythonLayout& layout, PythonTypes types)
      : memory_(memory), layout_(layout), types_(types) {}

  const ProcessMemory& memory() const { return memory_; }
  const PythonLayout& layout() const { return layout_; }
  const PythonTypes& types() const { return types_; }

  /// Throws UnreadableMemory if an object is not exactly of this type.
  void check_type(Address object, Address type) const;

  /// "TimerHandle"; with its module if it is written in C: "_asyncio.Task".
  std::string type_name(Address object) const;

  /// Whether it is of the type of this name, or of one derived from that.
  bool is_a(Address object, std::string_view type_name) const;

  /// A str, as UTF-8.
  std::string text(Address object) const;

  std::int64_t integer(Address object) const;
  double real(Address object) const;  // a float, or an int
  std::vector<std::byte> byte_string(Address object) const;

  /// Returns the items of a tuple, a list or a collections.deque.
  std::vector<Address> items(Address object) const;

  /// Returns the keys and values of a dict.
  std::vector<std::pair<Address, Address>> entries(Address dict) const;

  /// Returns the attributes that an instance has itself, without those of its class and __slots__.
  std::vector<std::pair<std::string, Address>> attributes(Address object) const;

  /// Returns an attribute of an instance, in __slots__, too. Nothing if it has none of that name.
  std::optional<Address> attribute(Address object, std::string_view name) const;

private:
  using Entries = std::vector<std::pair<Address, Address>>;

  Address type_of(Address object) const;
  const std::string& name_of_type(Address type) const;
  Address base_of(Address type) const;
  const std::string& name_of_key(Address key) const;
  Entries entries_of_keys(Address keys, Address values) const;
  Entries instance_entries(Address object) const;
  Entries managed_entries(Address object, Address type) const;
  Entries entries_of_dict(Address dict) const;
  std::optional<Address> place_of_slot(Address type, std::string_view name) const;
  std::vector<Address> pointers(Address from, std::uint64_t count) const;
  std::vector<Address> deque_items(Address object) const;

  const ProcessMemory& memory_;
  PythonLayout layout_;
  PythonTypes types_;
  mutable std::map<Address, std::string> type_names_{};
  mutable std::map<Address, std::string> key_names_{};
  mutable std::map<Address, Address> bases_{};
  mutable std::map<std::pair<Address, std::string>, std::optional<Address>> slots_{};
};

}  // namespace tcplab::capture
