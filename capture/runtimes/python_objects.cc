#include "capture/runtimes/python_objects.hh"

#include <algorithm>

#include "base/utf8.hh"

namespace tcplab::capture {

namespace {

// Members whose place is the same in all versions.
constexpr Address kObjectType = 8;       // PyObject.ob_type
constexpr Address kSize = 16;            // PyVarObject.ob_size
constexpr Address kBytesValue = 32;      // PyBytesObject.ob_sval
constexpr Address kTextLength = 16;      // PyASCIIObject.length
constexpr Address kTextState = 32;       // PyASCIIObject.state
constexpr Address kValue = 16;           // PyFloatObject.ob_fval; the size and sign of an int
constexpr Address kDigits = 24;          // of an int
constexpr Address kItems = 24;           // of a tuple; of a list, a pointer to them
constexpr Address kTypeName = 24;        // PyTypeObject.tp_name
constexpr Address kTypeBasicSize = 32;   // PyTypeObject.tp_basicsize
constexpr Address kTypeFlags = 168;      // PyTypeObject.tp_flags
constexpr Address kTypeBase = 256;       // PyTypeObject.tp_base
constexpr Address kTypeDict = 264;       // PyTypeObject.tp_dict
constexpr Address kTypeDictPlace = 288;  // PyTypeObject.tp_dictoffset
constexpr Address kDictKeys = 32;        // PyDictObject.ma_keys
constexpr Address kDictValues = 40;      // PyDictObject.ma_values
constexpr Address kDescrMember = 40;     // PyMemberDescrObject.d_member
constexpr Address kMemberPlace = 16;     // PyMemberDef.offset
constexpr std::uint64_t kInlineValues = 1U << 2;  // Py_TPFLAGS_INLINE_VALUES
constexpr std::uint64_t kManagedDict = 1U << 4;   // Py_TPFLAGS_MANAGED_DICT
constexpr Address kBeforeObject = 24;             // where a managed dict is, in front of an object
// dequeobject and its blocks (Modules/_collectionsmodule.c).
constexpr Address kDequeLeft = 24;
constexpr Address kDequeFirst = 40;
constexpr Address kBlockItems = 8;
constexpr Address kBlockNext = 520;
constexpr std::int64_t kBlockSize = 64;

constexpr std::size_t kMostItems = 100'000;
constexpr int kMostBases = 32;
constexpr Address kMostPlace = 4096;  // of a member

}  // namespace

Address PythonObjects::type_of(Address object) const {
  return memory_.pointer(object + kObjectType);
}

void PythonObjects::check_type(Address object, Address type) const {
  if (type_of(object) != type) throw UnreadableMemory("an object of another type");
}

const std::string& PythonObjects::name_of_type(Address type) const {
  auto found = type_names_.find(type);
  if (found == type_names_.end())
    found = type_names_.emplace(type, memory_.c_string(memory_.pointer(type + kTypeName))).first;
  return found->second;
}

Address PythonObjects::base_of(Address type) const {
  auto found = bases_.find(type);
  if (found == bases_.end()) found = bases_.emplace(type, memory_.pointer(type + kTypeBase)).first;
  return found->second;
}

const std::string& PythonObjects::name_of_key(Address key) const {
  auto found = key_names_.find(key);
  if (found == key_names_.end()) found = key_names_.emplace(key, text(key)).first;
  return found->second;
}

std::string PythonObjects::type_name(Address object) const { return name_of_type(type_of(object)); }

bool PythonObjects::is_a(Address object, std::string_view type_name) const {
  Address type = type_of(object);
  for (int i = 0; type != 0 && i < kMostBases; ++i, type = base_of(type))
    if (name_of_type(type) == type_name) return true;
  return false;
}

/// Its characters are 1, 2 or 4 bytes long each.
std::string PythonObjects::text(Address object) const {
  check_type(object, types_.text);
  const auto length = memory_.value<std::uint64_t>(object + kTextLength);
  const auto state = memory_.value<std::uint32_t>(object + kTextState);
  const std::uint32_t width = state >> 2 & 7;
  const bool is_compact = (state >> 5 & 1) != 0;
  const bool is_ascii = (state >> 6 & 1) != 0;
  if (!is_compact || length > 4096) throw UnreadableMemory("a text of another kind");
  if (is_ascii) return memory_.text(object + layout_.text_ascii, length);
  std::string text;
  for (std::uint64_t i = 0; i < length; ++i) {
    const Address at = object + layout_.text_compact + i * width;
    char32_t code = 0;
    if (width == 1) code = memory_.value<std::uint8_t>(at);
    if (width == 2) code = memory_.value<std::uint16_t>(at);
    if (width == 4) code = memory_.value<std::uint32_t>(at);
    base::append_utf8(text, code);
  }
  return text;
}

/// Of one digit, which has 30 bits. Its size has the sign; from 3.12 on, two bits of a tag have it.
std::int64_t PythonObjects::integer(Address object) const {
  if (!is_a(object, "int")) throw UnreadableMemory("not an int");
  const auto tag = memory_.value<std::int64_t>(object + kValue);
  const bool has_tag = layout_.minor >= 12;
  const std::int64_t count = has_tag ? tag >> 3 : std::abs(tag);
  const bool is_negative = has_tag ? (tag & 3) == 2 : tag < 0;
  if (has_tag ? (tag & 3) == 1 : tag == 0) return 0;
  if (count != 1) throw UnreadableMemory("a large int");
  const std::int64_t digit = memory_.value<std::uint32_t>(object + kDigits);
  return is_negative ? -digit : digit;
}

double PythonObjects::real(Address object) const {
  if (is_a(object, "int")) return static_cast<double>(integer(object));
  if (!is_a(object, "float")) throw UnreadableMemory("not a number");
  return memory_.value<double>(object + kValue);
}

std::vector<std::byte> PythonObjects::byte_string(Address object) const {
  check_type(object, types_.bytes);
  return memory_.bytes(object + kBytesValue, memory_.value<std::uint64_t>(object + kSize));
}

std::vector<Address> PythonObjects::pointers(Address from, std::uint64_t count) const {
  std::vector<Address> found;
  if (count > kMostItems) throw UnreadableMemory("an implausible count");
  for (std::uint64_t i = 0; i < count; ++i)
    found.push_back(memory_.pointer(from + i * sizeof(Address)));
  return found;
}

std::vector<Address> PythonObjects::items(Address object) const {
  const auto size = memory_.value<std::uint64_t>(object + kSize);
  if (is_a(object, "tuple")) return pointers(object + kItems, size);
  if (is_a(object, "list")) return pointers(size == 0 ? 0 : memory_.pointer(object + kItems), size);
  if (is_a(object, "collections.deque")) return deque_items(object);
  throw UnreadableMemory("neither a tuple nor a list");
}

std::vector<Address> PythonObjects::deque_items(Address object) const {
  std::vector<Address> found;
  const auto size = memory_.value<std::uint64_t>(object + kSize);
  if (size > kMostItems) throw UnreadableMemory("an implausible count");
  Address block = memory_.pointer(object + kDequeLeft);
  auto place = memory_.value<std::int64_t>(object + kDequeFirst);
  while (found.size() < size) {
    if (place < 0 || place > kBlockSize) throw UnreadableMemory("an implausible place");
    if (place == kBlockSize) {
      block = memory_.pointer(block + kBlockNext);
      place = 0;
    }
    found.push_back(
        memory_.pointer(block + kBlockItems + static_cast<Address>(place) * sizeof(Address)));
    ++place;
  }
  return found;
}

std::vector<std::pair<Address, Address>> PythonObjects::entries(Address dict) const {
  if (!is_a(dict, "dict")) throw UnreadableMemory("not a dict");
  return entries_of_dict(dict);
}

/// A split table has its values elsewhere, behind a header from 3.13 on.
PythonObjects::Entries PythonObjects::entries_of_dict(Address dict) const {
  Address values = memory_.pointer(dict + kDictValues);
  if (values != 0 && layout_.minor >= 13) values += sizeof(Address);
  return entries_of_keys(memory_.pointer(dict + kDictKeys), values);
}

/// PyDictKeysObject: the entries come after the table of indices, in the order of their insertion.
/// `values`: 0 if the entries have them.
PythonObjects::Entries PythonObjects::entries_of_keys(Address keys, Address values) const {
  std::uint64_t count = 0;
  Address first = 0;
  bool has_hashes = true;
  if (layout_.minor >= 11) {
    const auto log_size = memory_.value<std::uint8_t>(keys + 9);  // dk_log2_index_bytes
    if (log_size > 40) throw UnreadableMemory("an implausible size");
    has_hashes = memory_.value<std::uint8_t>(keys + 10) == 0;  // dk_kind
    count = memory_.value<std::uint64_t>(keys + 24);
    first = keys + 32 + (Address{1} << log_size);
  } else {
    const auto size = memory_.value<std::uint64_t>(keys + 8);
    const std::uint64_t width = size <= 0xff ? 1 : size <= 0xffff ? 2 : size <= 0xffffffff ? 4 : 8;
    count = memory_.value<std::uint64_t>(keys + 32);
    first = keys + 40 + size * width;
  }
  if (count > kMostItems) throw UnreadableMemory("an implausible count");
  const Address before = has_hashes ? sizeof(Address) : 0;
  const Address step = before + 2 * sizeof(Address);
  Entries found;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Address entry = first + i * step + before;
    const Address key = memory_.pointer(entry);
    const Address value =
        memory_.pointer(values != 0 ? values + i * sizeof(Address) : entry + sizeof(Address));
    if (key != 0 && value != 0) found.emplace_back(key, value);
  }
  return found;
}

PythonObjects::Entries PythonObjects::instance_entries(Address object) const {
  const Address type = type_of(object);
  if (layout_.minor >= 11 && (memory_.value<std::uint64_t>(type + kTypeFlags) & kManagedDict) != 0)
    return managed_entries(object, type);
  const auto place = memory_.value<std::int64_t>(type + kTypeDictPlace);
  if (place <= 0) return {};
  const Address dict = memory_.pointer(object + static_cast<Address>(place));
  return dict == 0 ? Entries{} : entries(dict);
}

/// From 3.11 on, an instance has its values without a dict until somebody asks for one.
PythonObjects::Entries PythonObjects::managed_entries(Address object, Address type) const {
  const auto keys = [&] { return memory_.pointer(type + layout_.type_keys); };
  const Address dict = memory_.pointer(object - kBeforeObject);
  if (layout_.minor == 11) {
    const Address values = memory_.pointer(object - kBeforeObject - sizeof(Address));
    if (values != 0) return entries_of_keys(keys(), values);
  } else if (layout_.minor == 12) {
    if ((dict & 1) != 0) return entries_of_keys(keys(), dict + 1);
  } else if (dict == 0) {
    if ((memory_.value<std::uint64_t>(type + kTypeFlags) & kInlineValues) == 0) return {};
    const Address values =
        object + memory_.value<std::uint64_t>(type + kTypeBasicSize) + sizeof(Address);
    return entries_of_keys(keys(), values);
  }
  return dict == 0 ? Entries{} : entries(dict);
}

std::vector<std::pair<std::string, Address>> PythonObjects::attributes(Address object) const {
  std::vector<std::pair<std::string, Address>> found;
  for (const auto& [key, value] : instance_entries(object))
    found.emplace_back(name_of_key(key), value);
  return found;
}

std::optional<Address> PythonObjects::attribute(Address object, std::string_view name) const {
  for (const auto& [key, value] : instance_entries(object))
    if (name_of_key(key) == name) return value;
  const auto place = place_of_slot(type_of(object), name);
  const Address found = place ? memory_.pointer(object + *place) : 0;
  return found == 0 ? std::nullopt : std::optional(found);
}

std::optional<Address> PythonObjects::place_of_slot(Address type, std::string_view name) const {
  const auto [known, is_new] = slots_.try_emplace({type, std::string(name)});
  if (!is_new) return known->second;
  for (int i = 0; type != 0 && i < kMostBases; ++i, type = base_of(type)) {
    const Address dict = memory_.pointer(type + kTypeDict);
    if (dict == 0) break;  // a static type, of C
    for (const auto& [key, value] : entries(dict)) {
      if (name_of_key(key) != name || !is_a(value, "member_descriptor")) continue;
      const Address place = memory_.pointer(memory_.pointer(value + kDescrMember) + kMemberPlace);
      if (place > kMostPlace) throw UnreadableMemory("an implausible place");
      return known->second = place;
    }
  }
  return std::nullopt;
}

}  // namespace tcplab::capture
