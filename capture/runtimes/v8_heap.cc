#include "capture/runtimes/v8_heap.hh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/utf8.hh"
#include "capture/runtimes/v8_lines.hh"

namespace tcplab::capture {

namespace {

constexpr int kMember = sizeof(TaggedValue);
constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kLongestSource = 16 << 20;
constexpr int kDeepestString = 64;

// Members whose place has no exported variable; the same in Node 18 to 22.
constexpr int kScopeFlags = kMember;       // ScopeInfo (v8/src/objects/scope-info.tq)
constexpr int kScopeLocals = 3 * kMember;  // the number of variables in its context
constexpr int kScopeRest = 4 * kMember;    // their names, then one number for each, then the rest
constexpr int kMostLocalNames = 75;        // with this many, the names are in a table
constexpr int kScopeType = 15;
constexpr int kModuleScope = 3;  // of an ECMAScript module; where its members are differs
constexpr int kSavedClassVariable = 1 << 10;
constexpr int kFunctionVariable = 3 << 12;
constexpr int kInferredName = 1 << 14;
constexpr int kUncachedString = 1 << 4;  // an external string without a pointer to its characters

}  // namespace

TaggedValue V8Heap::field(TaggedValue object, int offset) const {
  if (!is_object(object)) throw UnreadableMemory("a value that is no object");
  return memory_.pointer(object - 1 + static_cast<Address>(offset));
}

int V8Heap::type(TaggedValue object) const {
  const TaggedValue map = field(object, 0);
  if (!is_object(map)) throw UnreadableMemory("an object without a map");
  return memory_.value<std::uint16_t>(map - 1 + static_cast<Address>(layout_.map_type));
}

bool V8Heap::is_string(TaggedValue value) const {
  return is_object(value) && type(value) < layout_.first_other_type;
}

void V8Heap::check_type(TaggedValue object, int expected) const {
  if (type(object) != expected) throw UnreadableMemory("an object of another type");
}

std::int32_t V8Heap::small_integer(TaggedValue value) const {
  constexpr int kShift = 32;
  if ((value & 0xffff'ffff) != 0) throw UnreadableMemory("a value that is no integer");
  return static_cast<std::int32_t>(value >> kShift);
}

bool V8Heap::is_function(TaggedValue value) const {
  const int found = type(value);
  return layout_.function_type <= found && found <= layout_.last_function_type &&
         type(field(value, layout_.function_shared)) == layout_.shared_type;
}

TaggedValue V8Heap::shared_of(TaggedValue function) const {
  if (!is_function(function)) throw UnreadableMemory("a value that is no function");
  return field(function, layout_.function_shared);
}

std::optional<TaggedValue> V8Heap::script_of(TaggedValue shared) const {
  const TaggedValue script = field(shared, layout_.shared_script);
  if (!is_object(script) || type(script) != layout_.script_type) return std::nullopt;
  return script;
}

bool V8Heap::is_wrapped(TaggedValue script) const {
  const TaggedValue arguments = field(script, layout_.script_wrapped_arguments);
  return is_object(arguments) && type(arguments) == layout_.array_type;
}

V8Heap::Scope V8Heap::read_scope(TaggedValue scope) const {
  check_type(scope, layout_.scope_type);
  const int flags = small_integer(field(scope, kScopeFlags));
  if ((flags & kScopeType) == kModuleScope)
    return {.name = "(module)", .end = std::numeric_limits<std::int32_t>::max()};
  const int locals = small_integer(field(scope, kScopeLocals));
  constexpr int kMostLocals = 1 << 16;
  if (locals < 0 || locals > kMostLocals) throw UnreadableMemory("an implausible scope");
  int at = kScopeRest + (locals + (locals < kMostLocalNames ? locals : 1)) * kMember;
  const auto next = [&] { return field(scope, std::exchange(at, at + kMember)); };
  if ((flags & kSavedClassVariable) != 0) next();
  Scope read;
  if ((flags & kFunctionVariable) != 0) {
    read.name = text(next());
    small_integer(next());
  }
  if ((flags & kInferredName) != 0) read.inferred_name = text(next());
  read.start = small_integer(next());
  read.end = small_integer(next());
  if (read.start < 0 || read.end < read.start) throw UnreadableMemory("an implausible scope");
  return read;
}

std::string V8Heap::function_name(TaggedValue function) const {
  const TaggedValue shared = shared_of(function);
  const TaggedValue name = field(shared, layout_.shared_name);
  const auto script = script_of(shared);
  if (!is_object(name) || type(name) != layout_.scope_type) {
    const std::string own = text(name);
    return own.empty() && script ? "(anonymous)" : own;
  }
  const Scope scope = read_scope(name);
  if (!scope.name.empty()) return scope.name;
  if (!scope.inferred_name.empty()) return scope.inferred_name;
  return script && scope.start == 0 && is_wrapped(*script) ? "(module)" : "(anonymous)";
}

std::string V8Heap::file_name(TaggedValue function) const {
  const auto script = script_of(shared_of(function));
  return script ? text(field(*script, layout_.script_name)) : "";
}

std::optional<int> V8Heap::line(TaggedValue function, TaggedValue bytecodes,
                                TaggedValue offset) const {
  const TaggedValue shared = shared_of(function);
  const auto script = script_of(shared);
  const Scope scope = read_scope(field(shared, layout_.shared_name));
  check_type(bytecodes, layout_.bytecode_type);
  const TaggedValue table = field(bytecodes, layout_.bytecode_positions);
  if (!script || !is_object(table) || type(table) != layout_.positions_type) return std::nullopt;
  const int size = small_integer(field(table, layout_.array_length));
  const std::vector<std::byte> positions = memory_.bytes(
      table - 1 + static_cast<Address>(layout_.array_data), static_cast<std::size_t>(size));
  // Offsets count from the tagged address of the array, not from its first bytecode.
  const int bytecode = small_integer(offset) - (layout_.bytecodes - 1);
  if (bytecode < 0 || bytecode >= small_integer(field(bytecodes, layout_.array_length)))
    return std::nullopt;
  const auto position = v8_position(positions, bytecode);
  if (!position || std::cmp_less(*position, scope.start) || std::cmp_greater(*position, scope.end))
    return std::nullopt;
  const TaggedValue source = field(*script, layout_.script_source);
  // vm.Script can say that its text begins at another line.
  const int first = small_integer(field(*script, layout_.script_name + kMember));
  return first + v8_line(characters(source, kLongestSource), *position);
}

std::size_t V8Heap::length(TaggedValue string) const {
  const auto length =
      memory_.value<std::int32_t>(string - 1 + static_cast<Address>(layout_.string_length));
  if (length < 0) throw UnreadableMemory("a text of a negative length");
  return static_cast<std::size_t>(length);
}

std::u16string V8Heap::characters(TaggedValue string, std::size_t most) const {
  if (!is_string(string)) throw UnreadableMemory("a value that is no text");
  const std::size_t count = length(string);
  if (count > most) throw UnreadableMemory("a text of an implausible length");
  std::u16string characters;
  append(string, 0, count, characters, 0);
  return characters;
}

void V8Heap::append(TaggedValue string, std::size_t begin, std::size_t count, std::u16string& into,
                    int depth) const {
  const int found = type(string);
  if (found >= layout_.first_other_type || depth > kDeepestString || begin + count > length(string))
    throw UnreadableMemory("a text of another kind");
  const int kind = found & layout_.string_kind_mask;
  if (kind == layout_.string_sequential) {
    const bool is_one_byte = (found & layout_.string_encoding_mask) == layout_.string_one_byte;
    const int data = is_one_byte ? layout_.one_byte_characters : layout_.two_byte_characters;
    append_stored(string - 1 + static_cast<Address>(data), found, begin, count, into);
  } else if (kind == layout_.string_external && (found & kUncachedString) == 0) {
    append_stored(field(string, layout_.external_resource + kMember), found, begin, count, into);
  } else if (kind == layout_.string_thin) {
    append(field(string, layout_.thin_actual), begin, count, into, depth + 1);
  } else if (kind == layout_.string_sliced) {
    const int offset = small_integer(field(string, layout_.sliced_offset));
    append(field(string, layout_.sliced_parent), begin + static_cast<std::size_t>(offset), count,
           into, depth + 1);
  } else if (kind == layout_.string_cons) {
    const TaggedValue first = field(string, layout_.cons_first);
    const std::size_t middle = length(first);
    const std::size_t here = begin < middle ? std::min(count, middle - begin) : 0;
    if (here > 0) append(first, begin, here, into, depth + 1);
    if (count > here)
      append(field(string, layout_.cons_second), begin + here - middle, count - here, into,
             depth + 1);
  } else {
    throw UnreadableMemory("a text of another kind");
  }
}

void V8Heap::append_stored(Address data, int type, std::size_t begin, std::size_t count,
                           std::u16string& into) const {
  const bool is_one_byte = (type & layout_.string_encoding_mask) == layout_.string_one_byte;
  const std::size_t width = is_one_byte ? 1 : sizeof(char16_t);
  constexpr std::size_t kBlock = 1 << 18;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t now = std::min(kBlock, count - done);
    const auto bytes = memory_.bytes(data + (begin + done) * width, now * width);
    for (std::size_t i = 0; i < now; ++i) {
      char16_t character = std::to_integer<std::uint8_t>(bytes[i * width]);
      if (!is_one_byte) std::memcpy(&character, &bytes[i * width], sizeof character);
      into += character;
    }
  }
}

std::string V8Heap::text(TaggedValue value) const {
  if (!is_string(value)) return "";
  const std::u16string units = characters(value, kLongestName);
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    char32_t code = units[i];
    const bool is_pair =
        (code & 0xfc00) == 0xd800 && i + 1 < units.size() && (units[i + 1] & 0xfc00) == 0xdc00;
    if (is_pair) code = 0x10000 + ((code & 0x3ff) << 10) + (units[++i] & 0x3ffU);
    base::append_utf8(text, code);
  }
  return text;
}

}  // namespace tcplab::capture
