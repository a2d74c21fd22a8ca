// Where V8 keeps what a stack needs. Node exports these numbers as the variables v8dbg_... of its
// program, for debuggers of core files (mdb_v8, llnode, the ustack helper of DTrace).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "capture/memory/process_image.hh"
#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

/// Offsets in bytes from an object's first byte; types are those in its Map.
struct V8Layout {
  int map_type = 0;
  int function_shared = 0;
  int shared_name = 0;
  int shared_script = 0;
  int script_name = 0;
  int script_source = 0;
  int script_wrapped_arguments = 0;
  int string_length = 0;
  int one_byte_characters = 0;
  int two_byte_characters = 0;
  int cons_first = 0;
  int cons_second = 0;
  int thin_actual = 0;
  int sliced_parent = 0;
  int sliced_offset = 0;
  int external_resource = 0;
  int bytecodes = 0;
  int bytecode_positions = 0;  // the source position table of a BytecodeArray
  int array_length = 0;
  int array_data = 0;

  int function_type = 0;
  int last_function_type = 0;
  int shared_type = 0;
  int script_type = 0;
  int scope_type = 0;
  int bytecode_type = 0;
  int positions_type = 0;
  int array_type = 0;
  int first_other_type = 0;  // the types below are strings
  int string_kind_mask = 0;
  int string_sequential = 0;
  int string_cons = 0;
  int string_thin = 0;
  int string_sliced = 0;
  int string_external = 0;
  int string_encoding_mask = 0;
  int string_one_byte = 0;

  // Properties of objects.
  int map_constructor = 0;
  int map_details = 0;  // bit_field3
  int map_descriptors = 0;
  int map_object_words = 0;
  int map_first_property = 0;  // in words
  int object_properties = 0;
  int symbol_name = 0;
  int descriptors = 0;  // of a DescriptorArray
  int descriptor_words = 0;
  int descriptor_key = 0;
  int descriptor_details = 0;
  int is_dictionary_shift = 0;
  int descriptor_count_mask = 0;
  int descriptor_count_shift = 0;
  int index_mask = 0;
  int index_shift = 0;
  int location_mask = 0;
  int location_shift = 0;
  int location_field = 0;
  int dictionary_start = 0;  // in words of a NameDictionary's data
  int dictionary_prefix = 0;
  int dictionary_entry = 0;
  int map_map_type = 0;
  int object_type = 0;
  int symbol_type = 0;
  int descriptors_type = 0;
  int strong_descriptors_type = 0;
  int properties_type = 0;

  // From a frame pointer.
  int frame_context = 0;
  int frame_function = 0;
  int frame_bytecodes = 0;
  int frame_bytecode_offset = 0;

  // The types of frames that are no JavaScript functions.
  std::set<int> frame_types{};
  std::set<int> exit_types{};   // calls from JavaScript into C++
  std::set<int> entry_types{};  // calls from C++ into JavaScript
};

/// Returns nothing if a number is missing. `symbols`: those that begin with "v8dbg_".
std::optional<V8Layout> v8_layout(const Symbols& symbols, const ProcessMemory& memory);

}  // namespace tcplab::capture
