#include "capture/runtimes/v8_layout.hh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tcplab::capture {

namespace {

constexpr std::string_view kPrefix = "v8dbg_";

/// A number and its variable. The C++ type at the end of a name differs between versions, so the
/// names here are the beginnings.
struct Number {
  int V8Layout::*member;
  std::string_view name;
};

constexpr std::array kNumbers = {
    Number{&V8Layout::map_type, "class_Map__instance_type__"},
    Number{&V8Layout::function_shared, "class_JSFunction__shared__"},
    Number{&V8Layout::shared_name, "class_SharedFunctionInfo__name_or_scope_info__"},
    Number{&V8Layout::script_name, "class_Script__name__"},
    Number{&V8Layout::script_source, "class_Script__source__"},
    Number{&V8Layout::script_wrapped_arguments,
           "class_Script__eval_from_shared_or_wrapped_arguments"},
    Number{&V8Layout::string_length, "class_String__length__int32_t"},
    Number{&V8Layout::one_byte_characters, "class_SeqOneByteString__chars__"},
    Number{&V8Layout::two_byte_characters, "class_SeqTwoByteString__chars__"},
    Number{&V8Layout::cons_first, "class_ConsString__first__"},
    Number{&V8Layout::cons_second, "class_ConsString__second__"},
    Number{&V8Layout::thin_actual, "class_ThinString__actual__"},
    Number{&V8Layout::sliced_parent, "class_SlicedString__parent__"},
    Number{&V8Layout::sliced_offset, "class_SlicedString__offset__SMI"},
    Number{&V8Layout::external_resource, "class_ExternalString__resource__"},
    Number{&V8Layout::bytecodes, "class_BytecodeArray__data__"},
    Number{&V8Layout::array_length, "class_FixedArrayBase__length__SMI"},
    Number{&V8Layout::array_data, "class_FixedArray__data__"},
    Number{&V8Layout::function_type, "type_JSFunction__JS_FUNCTION_TYPE"},
    Number{&V8Layout::shared_type, "type_SharedFunctionInfo__"},
    Number{&V8Layout::script_type, "type_Script__"},
    Number{&V8Layout::scope_type, "type_ScopeInfo__"},
    Number{&V8Layout::bytecode_type, "type_BytecodeArray__"},
    Number{&V8Layout::array_type, "type_FixedArray__"},
    Number{&V8Layout::first_other_type, "FirstNonstringType"},
    Number{&V8Layout::string_kind_mask, "StringRepresentationMask"},
    Number{&V8Layout::string_sequential, "SeqStringTag"},
    Number{&V8Layout::string_cons, "ConsStringTag"},
    Number{&V8Layout::string_thin, "ThinStringTag"},
    Number{&V8Layout::string_sliced, "SlicedStringTag"},
    Number{&V8Layout::string_external, "ExternalStringTag"},
    Number{&V8Layout::string_encoding_mask, "StringEncodingMask"},
    Number{&V8Layout::string_one_byte, "OneByteStringTag"},
    Number{&V8Layout::map_constructor, "class_Map__constructor_or_back_pointer__"},
    Number{&V8Layout::map_details, "class_Map__bit_field3__"},
    Number{&V8Layout::map_descriptors, "class_Map__instance_descriptors__"},
    Number{&V8Layout::map_object_words, "class_Map__instance_size_in_words__"},
    Number{&V8Layout::map_first_property, "class_Map__inobject_properties_start_or"},
    Number{&V8Layout::object_properties, "class_JSReceiver__raw_properties_or_hash__"},
    Number{&V8Layout::symbol_name, "class_Symbol__name__"},
    Number{&V8Layout::descriptors, "class_DescriptorArray__header_size__"},
    Number{&V8Layout::descriptor_words, "prop_desc_size"},
    Number{&V8Layout::descriptor_key, "prop_desc_key"},
    Number{&V8Layout::descriptor_details, "prop_desc_details"},
    Number{&V8Layout::is_dictionary_shift, "bit_field3_is_dictionary_map_shift"},
    Number{&V8Layout::descriptor_count_mask, "bit_field3_number_of_own_descriptors_mask"},
    Number{&V8Layout::descriptor_count_shift, "bit_field3_number_of_own_descriptors_shift"},
    Number{&V8Layout::index_mask, "prop_index_mask"},
    Number{&V8Layout::index_shift, "prop_index_shift"},
    Number{&V8Layout::location_mask, "prop_location_mask"},
    Number{&V8Layout::location_shift, "prop_location_shift"},
    Number{&V8Layout::location_field, "prop_location_Field"},
    Number{&V8Layout::dictionary_start, "namedictionary_prefix_start_index"},
    Number{&V8Layout::dictionary_prefix, "namedictionaryshape_prefix_size"},
    Number{&V8Layout::dictionary_entry, "namedictionaryshape_entry_size"},
    Number{&V8Layout::map_map_type, "type_Map__MAP_TYPE"},
    Number{&V8Layout::object_type, "type_JSObject__JS_OBJECT_TYPE"},
    Number{&V8Layout::symbol_type, "type_Symbol__"},
    Number{&V8Layout::descriptors_type, "type_DescriptorArray__"},
    Number{&V8Layout::strong_descriptors_type, "type_StrongDescriptorArray__"},
    Number{&V8Layout::properties_type, "type_PropertyArray__"},
    Number{&V8Layout::frame_context, "off_fp_context_or_frame_type"},
    Number{&V8Layout::frame_function, "off_fp_function"},
    Number{&V8Layout::frame_bytecodes, "off_fp_bytecode_array"},
    Number{&V8Layout::frame_bytecode_offset, "off_fp_bytecode_offset"},
};

std::optional<int> number(const Symbols& symbols, const ProcessMemory& memory,
                          std::string_view begins) {
  const std::string name = std::string(kPrefix) + std::string(begins);
  const auto found = symbols.lower_bound(name);
  if (found == symbols.end() || !found->first.starts_with(name)) return std::nullopt;
  return memory.value<std::int32_t>(found->second);
}

/// What has one of two names, by version.
bool read_changed_numbers(const Symbols& symbols, const ProcessMemory& memory, V8Layout& layout) {
  auto script = number(symbols, memory, "class_SharedFunctionInfo__script__");  // from 21 on
  if (!script) script = number(symbols, memory, "class_SharedFunctionInfo__script_or_debug_info__");
  auto positions = number(symbols, memory, "type_TrustedByteArray__");  // from 22 on
  if (!positions) positions = number(symbols, memory, "type_ByteArray__");
  if (!script || !positions) return false;
  layout.shared_script = *script;
  layout.positions_type = *positions;
  // JSFunction has subclasses: constructors of classes, of promises, of each kind of array.
  constexpr int kMostSubclasses = 31;
  layout.last_function_type = number(symbols, memory, "LastJSFunctionType")
                                  .value_or(layout.function_type + kMostSubclasses);
  // No variable has the place of the source position table. Objects of the class have a `wrapper`
  // from 22 on, and the order of the three arrays behind is then another one.
  const auto wrapper = number(symbols, memory, "class_BytecodeArray__wrapper__");
  constexpr int kWord = 8;
  layout.bytecode_positions = wrapper ? *wrapper + kWord : layout.array_data + 2 * kWord;
  return true;
}

bool read_frame_types(const Symbols& symbols, const ProcessMemory& memory, V8Layout& layout) {
  constexpr std::string_view kFrame = "v8dbg_frametype_";
  for (auto found = symbols.lower_bound(kFrame);
       found != symbols.end() && found->first.starts_with(kFrame); ++found) {
    const auto type = memory.value<std::int32_t>(found->second);
    layout.frame_types.insert(type);
    if (found->first.ends_with("ExitFrame")) layout.exit_types.insert(type);
    if (found->first.ends_with("EntryFrame")) layout.entry_types.insert(type);
  }
  return !layout.exit_types.empty() && !layout.entry_types.empty();
}

/// Whether pointers are words, as in Node. Chromium compresses them.
bool has_whole_pointers(const Symbols& symbols, const ProcessMemory& memory) {
  constexpr int kSmiShift = 32;
  return number(symbols, memory, "TaggedSize") == static_cast<int>(sizeof(Address)) &&
         number(symbols, memory, "SmiValueShift").value_or(0) +
                 number(symbols, memory, "SmiShiftSize").value_or(0) ==
             kSmiShift;
}

}  // namespace

std::optional<V8Layout> v8_layout(const Symbols& symbols, const ProcessMemory& memory) {
  if (!has_whole_pointers(symbols, memory)) return std::nullopt;
  V8Layout layout;
  for (const Number& each : kNumbers) {
    const auto value = number(symbols, memory, each.name);
    if (!value) return std::nullopt;
    layout.*each.member = *value;
  }
  if (!read_changed_numbers(symbols, memory, layout) || !read_frame_types(symbols, memory, layout))
    return std::nullopt;
  return layout;
}

}  // namespace tcplab::capture
