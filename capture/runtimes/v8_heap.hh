// Reads objects of V8: functions, their names and places, and texts. Each object's type is checked;
// what has another one throws UnreadableMemory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/memory/process_memory.hh"
#include "capture/runtimes/v8_layout.hh"

namespace tcplab::capture {

/// A value as V8 stores it: the address of an object plus 1, or a small integer (Smi) in the upper
/// half of the word.
using TaggedValue = std::uint64_t;

class V8Heap {
public:
  /// `memory` must outlive this.
  V8Heap(const ProcessMemory& memory, V8Layout layout)
      : memory_(memory), layout_(std::move(layout)) {}

  const V8Layout& layout() const { return layout_; }
  const ProcessMemory& memory() const { return memory_; }

  TaggedValue field(TaggedValue object, int offset) const;
  int type(TaggedValue object) const;
  /// Returns a text in UTF-8; empty for a value that is no string.
  std::string text(TaggedValue value) const;
  /// Returns the value of a small integer, or throws.
  std::int32_t small_integer(TaggedValue value) const;

  /// Whether a value is a JavaScript function. Throws if it is no object at all.
  bool is_function(TaggedValue value) const;

  /// Returns the function's name, or one that V8 has inferred from the place that the function was
  /// assigned to, or "(anonymous)"; "(module)" for the outermost code of a file. Empty for
  /// a step that V8 adds itself, such as that behind `await`.
  std::string function_name(TaggedValue function) const;

  /// Returns the name of the function's script: a path, a URL, or "node:fs". Empty if none.
  std::string file_name(TaggedValue function) const;

  /// Returns the line of a bytecode of this function; nothing if V8 has not stored it. `offset`:
  /// as frames of the interpreter have it.
  std::optional<int> line(TaggedValue function, TaggedValue bytecodes, TaggedValue offset) const;

private:
  /// What a ScopeInfo says about its function.
  struct Scope {
    std::string name;
    std::string inferred_name;
    std::int32_t start = 0;  // positions in the source
    std::int32_t end = 0;
  };

  bool is_string(TaggedValue value) const;
  void check_type(TaggedValue object, int type) const;
  TaggedValue shared_of(TaggedValue function) const;
  std::optional<TaggedValue> script_of(TaggedValue shared) const;
  bool is_wrapped(TaggedValue script) const;
  Scope read_scope(TaggedValue scope) const;

  std::size_t length(TaggedValue string) const;
  std::u16string characters(TaggedValue string, std::size_t most) const;
  void append(TaggedValue string, std::size_t begin, std::size_t count, std::u16string& into,
              int depth) const;
  void append_stored(Address data, int type, std::size_t begin, std::size_t count,
                     std::u16string& into) const;
  const ProcessMemory& memory_;
  V8Layout layout_;
};

/// Whether a value is an object and not a small integer.
constexpr bool is_object(TaggedValue value) { return (value & 3) == 1; }

}  // namespace tcplab::capture
