#include "capture/runtimes/hotspot_methods.hh"

#include <algorithm>
#include <cstring>

namespace tcplab::capture {

namespace {

/// Names of hidden classes have a '+' before an address, which Java writes as '/'.
std::string java_name(std::string name) {
  std::ranges::replace(name, '/', '.');
  const std::size_t plus = name.rfind("+0x");
  if (plus != std::string::npos) name[plus] = '/';
  return name;
}

}  // namespace

HotspotMethods::HotspotMethods(const ProcessMemory& memory, const HotspotTables& tables,
                               HotspotPacking packing)
    : memory_(memory), at_(offsets_in(tables)), packing_(packing) {}

HotspotMethods::Offsets HotspotMethods::offsets_in(const HotspotTables& tables) {
  // Java 21 has put the flags into a structure.
  const bool has_old_flags = tables.has("ConstMethod::_flags");
  return {
      .method_const = tables.offset("Method::_constMethod"),
      .method_flags = tables.offset("Method::_access_flags"),
      .const_pool = tables.offset("ConstMethod::_constants"),
      .const_flags =
          tables.offset(has_old_flags ? "ConstMethod::_flags" : "ConstMethod::_flags._flags"),
      .const_has_lines = static_cast<Address>(
          tables.constant(has_old_flags ? "ConstMethod::_has_linenumber_table"
                                        : "ConstMethodFlags::_misc_has_linenumber_table")),
      .const_words = tables.offset("ConstMethod::_constMethod_size"),
      .const_name = tables.offset("ConstMethod::_name_index"),
      .const_code_size = tables.offset("ConstMethod::_code_size"),
      .const_size = tables.size("ConstMethod"),
      .pool_holder = tables.offset("ConstantPool::_pool_holder"),
      .pool_length = tables.offset("ConstantPool::_length"),
      .pool_file = tables.offset("ConstantPool::_source_file_name_index"),
      .pool_tags = tables.offset("ConstantPool::_tags"),
      .pool_size = tables.size("ConstantPool"),
      .class_name = tables.offset("Klass::_name"),
      .class_methods = tables.offset("InstanceKlass::_methods"),
      .array_length = tables.offset("Array<int>::_length"),
      .array_methods = tables.offset("Array<Method*>::_data"),
      .array_bytes = tables.offset("Array<u1>::_data"),
      .symbol_length = tables.offset("Symbol::_length"),
      .symbol_text = tables.offset("Symbol::_body"),
  };
}

RuntimeFrame HotspotMethods::name(Address method, int bytecode) const {
  const Address const_method = memory_.pointer(method + at_.method_const);
  const Address pool = memory_.pointer(const_method + at_.const_pool);
  const Address holder = memory_.pointer(pool + at_.pool_holder);
  check_method(method, holder);
  const auto name = memory_.value<std::uint16_t>(const_method + at_.const_name);
  const auto file = memory_.value<std::uint16_t>(pool + at_.pool_file);
  return {.function = java_name(symbol(memory_.pointer(holder + at_.class_name))) + "." +
                      text_in_pool(pool, name),
          .file = file == 0 ? "" : text_in_pool(pool, file),
          .line = bytecode < 0 ? 0 : line(const_method, bytecode)};
}

int HotspotMethods::bytecode(Address method, Address address) const {
  constexpr std::uint16_t kNative = 0x0100;  // ACC_NATIVE
  if ((memory_.value<std::uint16_t>(method + at_.method_flags) & kNative) != 0) return kNoBytecode;
  const Address const_method = memory_.pointer(method + at_.method_const);
  const Address code = const_method + at_.const_size;
  if (address < code ||
      address - code >= memory_.value<std::uint16_t>(const_method + at_.const_code_size))
    throw UnreadableMemory("a bytecode outside of its method");
  return static_cast<int>(address - code);
}

void HotspotMethods::check_method(Address method, Address holder) const {
  const Address methods = memory_.pointer(holder + at_.class_methods);
  const auto count = memory_.value<std::uint32_t>(methods + at_.array_length);
  const std::vector<std::byte> bytes =
      memory_.bytes(methods + at_.array_methods, count * kHotspotWord);
  std::vector<Address> listed(count);
  if (count > 0) std::memcpy(listed.data(), bytes.data(), bytes.size());
  if (std::ranges::find(listed, method) == listed.end())
    throw UnreadableMemory("a method that its class does not list");
}

std::string HotspotMethods::symbol(Address symbol) const {
  std::string text = memory_.text(symbol + at_.symbol_text,
                                  memory_.value<std::uint16_t>(symbol + at_.symbol_length));
  if (text.empty()) throw UnreadableMemory("a name without characters");
  return text;
}

std::string HotspotMethods::text_in_pool(Address pool, std::uint16_t index) const {
  constexpr std::uint8_t kText = 1;  // CONSTANT_Utf8
  if (index >= memory_.value<std::uint32_t>(pool + at_.pool_length))
    throw UnreadableMemory("a constant outside of its pool");
  const Address tags = memory_.pointer(pool + at_.pool_tags);
  if (memory_.value<std::uint8_t>(tags + at_.array_bytes + index) != kText)
    throw UnreadableMemory("a constant of another kind");
  return symbol(memory_.pointer(pool + at_.pool_size + index * kHotspotWord));
}

/// The table of lines follows the bytecodes.
int HotspotMethods::line(Address const_method, int bytecode) const {
  const auto flags = memory_.value<std::uint16_t>(const_method + at_.const_flags);
  if ((flags & at_.const_has_lines) == 0) return 0;
  const Address begin =
      at_.const_size + memory_.value<std::uint16_t>(const_method + at_.const_code_size);
  const Address end = memory_.value<std::uint32_t>(const_method + at_.const_words) * kHotspotWord;
  if (end <= begin) throw UnreadableMemory("lines outside of their method");
  return hotspot_line(packing_, memory_.bytes(const_method + begin, end - begin), bytecode);
}

}  // namespace tcplab::capture
