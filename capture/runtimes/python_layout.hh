// Where CPython keeps what a stack needs: the offsets of its internal structures, by version.
// tools/python-layout prints the rows of this table from the headers of an installed Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tcplab::capture {

/// How a code object stores the lines of its instructions.
enum class PythonLines : std::uint8_t {
  lnotab,  // Objects/lnotab_notes.txt, up to 3.9
  pairs,   // PEP 626, 3.10
  table,   // Objects/locations.md, from 3.11 on
};

/// Offsets in bytes.
struct PythonLayout {
  static constexpr std::uint16_t kNone = 0xffff;  // this version has no such member

  int minor = 0;  // of version 3
  PythonLines lines = PythonLines::table;
  std::uint16_t runtime_interpreters = 0;  // _PyRuntimeState.interpreters.head
  std::uint16_t interpreter_next = 0;
  std::uint16_t interpreter_threads = 0;
  std::uint16_t thread_next = 8;
  std::uint16_t thread_native_id = kNone;  // of the kernel
  std::uint16_t thread_id = kNone;         // of pthread_self(3)
  std::uint16_t thread_cframe = kNone;     // PyThreadState.cframe, which has the frame
  std::uint16_t cframe_frame = kNone;
  std::uint16_t thread_frame = kNone;
  std::uint16_t frame_code = 0;
  std::uint16_t frame_previous = 0;
  std::uint16_t frame_instruction = 0;  // a pointer; up to 3.10 an index
  std::uint16_t frame_owner = kNone;
  std::uint16_t code_file = 0;
  std::uint16_t code_name = 0;  // co_qualname, up to 3.10 co_name
  std::uint16_t code_first_line = 0;
  std::uint16_t code_lines = 0;
  std::uint16_t code_instructions = kNone;  // co_code_adaptive
  std::uint16_t frame_locals = 0;
  std::uint16_t frame_stack_top = 0;  // a count; up to 3.9 a pointer
  std::uint16_t frame_stack = kNone;  // where the values of an evaluation begin
  std::uint16_t generator_frame = 0;  // of a coroutine, too; up to 3.10 a pointer
  std::uint16_t function_code = 0;
  std::uint16_t function_closure = 0;
  std::uint16_t type_keys = kNone;  // ht_cached_keys: the names of instances' attributes
  std::uint16_t text_ascii = 0;     // where the characters of an ASCII text begin
  std::uint16_t text_compact = 0;   // and those of another
};

/// Returns the layout of Python 3.`minor`, or nothing if it is not known.
std::optional<PythonLayout> python_layout(int minor);

}  // namespace tcplab::capture
