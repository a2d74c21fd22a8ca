#include "capture/runtimes/v8_layout.hh"

#include <array>
#include <cstring>
#include <map>
#include <string>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

/// The constants of a Node, each at an address of its own.
class Constants final : public ProcessMemory {
public:
  std::size_t read(Address from, std::span<std::byte> into) const override {
    const auto found = values_.find(from);
    if (found == values_.end() || into.size() != sizeof found->second) return 0;
    std::memcpy(into.data(), &found->second, into.size());
    return into.size();
  }

  void add(const std::string& name, int value) {
    const Address address = 0x1000 + values_.size() * sizeof value;
    values_[address] = value;
    symbols_["v8dbg_" + name] = address;
  }

  Symbols& symbols() { return symbols_; }

private:
  std::map<Address, std::int32_t> values_;
  Symbols symbols_;
};

/// The constants of Node 20 that are needed. A test gives them the values 100, 101, and so on.
constexpr std::array kNode20 = {
    "class_Map__instance_type__uint16_t",
    "class_JSFunction__shared__SharedFunctionInfo",
    "class_SharedFunctionInfo__name_or_scope_info__Object",
    "class_SharedFunctionInfo__script_or_debug_info__HeapObject",
    "class_Script__name__Object",
    "class_Script__source__Object",
    "class_Script__eval_from_shared_or_wrapped_arguments__Object",
    "class_String__length__int32_t",
    "class_SeqOneByteString__chars__char",
    "class_SeqTwoByteString__chars__char",
    "class_ConsString__first__String",
    "class_ConsString__second__String",
    "class_ThinString__actual__String",
    "class_SlicedString__parent__String",
    "class_SlicedString__offset__SMI",
    "class_ExternalString__resource__Object",
    "class_BytecodeArray__data__uintptr_t",
    "class_FixedArrayBase__length__SMI",
    "class_FixedArray__data__uintptr_t",
    "type_JSFunction__JS_FUNCTION_TYPE",
    "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE",
    "type_Script__SCRIPT_TYPE",
    "type_ScopeInfo__SCOPE_INFO_TYPE",
    "type_BytecodeArray__BYTECODE_ARRAY_TYPE",
    "type_ByteArray__BYTE_ARRAY_TYPE",
    "type_FixedArray__FIXED_ARRAY_TYPE",
    "FirstNonstringType",
    "StringRepresentationMask",
    "SeqStringTag",
    "ConsStringTag",
    "ThinStringTag",
    "SlicedStringTag",
    "ExternalStringTag",
    "StringEncodingMask",
    "OneByteStringTag",
    "off_fp_context_or_frame_type",
    "off_fp_function",
    "off_fp_bytecode_array",
    "off_fp_bytecode_offset",
    "frametype_EntryFrame",
    "frametype_ExitFrame",
    "namedictionary_prefix_start_index",
    "namedictionaryshape_prefix_size",
    "namedictionaryshape_entry_size",
    "class_Map__constructor_or_back_pointer__Object",
    "class_Map__bit_field3__int",
    "class_Map__instance_descriptors__DescriptorArray",
    "class_Map__instance_size_in_words__char",
    "class_Map__inobject_properties_start_or_constructor_function_index__char",
    "class_JSReceiver__raw_properties_or_hash__Object",
    "class_Symbol__name__Object",
    "class_DescriptorArray__header_size__uintptr_t",
    "prop_desc_size",
    "prop_desc_key",
    "prop_desc_details",
    "bit_field3_is_dictionary_map_shift",
    "bit_field3_number_of_own_descriptors_mask",
    "bit_field3_number_of_own_descriptors_shift",
    "prop_index_mask",
    "prop_index_shift",
    "prop_location_mask",
    "prop_location_shift",
    "prop_location_Field",
    "type_Map__MAP_TYPE",
    "type_JSObject__JS_OBJECT_TYPE",
    "type_Symbol__SYMBOL_TYPE",
    "type_DescriptorArray__DESCRIPTOR_ARRAY_TYPE",
    "type_StrongDescriptorArray__STRONG_DESCRIPTOR_ARRAY_TYPE",
    "type_PropertyArray__PROPERTY_ARRAY_TYPE",
};

void add_node_20(Constants& constants, int tagged_size = 8) {
  constants.add("TaggedSize", tagged_size);
  constants.add("SmiValueShift", 1);
  constants.add("SmiShiftSize", tagged_size == 8 ? 31 : 0);
  int value = 100;
  for (const char* name : kNode20) constants.add(name, value++);
}

}  // namespace

TEST_CASE("the layout of V8 is what Node's constants say") {
  Constants constants;
  add_node_20(constants);
  constants.add("frametype_BuiltinExitFrame", 200);
  constants.add("frametype_StubFrame", 201);
  const auto layout = v8_layout(constants.symbols(), constants);
  REQUIRE(layout);
  CHECK(layout->map_type == 100);
  CHECK(layout->shared_script == 103);
  CHECK(layout->exit_types == std::set<int>{140, 200});
  CHECK(layout->entry_types == std::set<int>{139});
  CHECK(layout->frame_types == std::set<int>{139, 140, 200, 201});
}

TEST_CASE("without one of Node's constants, V8 is not read") {
  Constants constants;
  add_node_20(constants);
  const Symbols all = constants.symbols();
  REQUIRE(v8_layout(all, constants));
  for (const auto& [name, address] : all) {
    INFO(name);
    Symbols others = all;
    others.erase(name);
    CHECK_FALSE(v8_layout(others, constants));
  }
}

TEST_CASE("a V8 that compresses its pointers is not read") {
  Constants constants;
  add_node_20(constants, 4);
  CHECK_FALSE(v8_layout(constants.symbols(), constants));
}

TEST_CASE("from Node 22 on, the source positions are behind the wrapper of the bytecodes") {
  Constants before;
  add_node_20(before);
  const auto old_layout = v8_layout(before.symbols(), before);
  REQUIRE(old_layout);
  CHECK(old_layout->bytecode_positions == old_layout->array_data + 16);
  before.add("class_BytecodeArray__wrapper__Tagged_BytecodeWrapper_", 16);
  before.add("type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE", 300);
  const auto layout = v8_layout(before.symbols(), before);
  REQUIRE(layout);
  CHECK(layout->bytecode_positions == 24);
  CHECK(layout->positions_type == 300);
}
