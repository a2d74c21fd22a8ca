#include "capture/runtimes/go_functions.hh"

#include <algorithm>
#include <array>
#include <optional>

namespace tcplab::capture {

namespace {

constexpr std::uint32_t kGo118 = 0xfffffff0;
constexpr std::uint32_t kGo120 = 0xfffffff1;
constexpr std::uint64_t kMostFunctions = 1 << 24;
constexpr std::size_t kMostNameBytes = 2048;
constexpr int kMostInlined = 64;

// pcHeader, in words of 8 bytes.
constexpr Address kCount = 8;
constexpr Address kText = 24;
constexpr Address kNames = 32;
constexpr Address kUnits = 40;
constexpr Address kFiles = 48;
constexpr Address kValues = 56;
constexpr Address kFunctions = 64;

// Indices of the tables of a function.
constexpr std::uint32_t kInlinedValue = 2;  // PCDATA_InlTreeIndex
constexpr std::uint32_t kInlinedTree = 3;   // FUNCDATA_InlTree
constexpr std::uint32_t kNoData = 0xffffffff;

/// Reads bytes one after the other.
class ByteReader {
public:
  ByteReader(const ProcessMemory& memory, Address from) : memory_(memory), next_(from) {}

  std::uint8_t byte() {
    if (at_ == size_) {
      size_ = memory_.read(next_, block_);
      at_ = 0;
      next_ += size_;
      if (size_ == 0) throw UnreadableMemory("memory that cannot be read");
    }
    return static_cast<std::uint8_t>(block_.at(at_++));
  }

  /// Seven bits in each byte, the lowest first.
  std::uint32_t number() {
    std::uint32_t number = 0;
    for (unsigned shift = 0; shift < 32; shift += 7) {
      const std::uint8_t next = byte();
      number |= static_cast<std::uint32_t>(next & 0x7fU) << shift;
      if ((next & 0x80U) == 0) return number;
    }
    throw UnreadableMemory("a number without an end");
  }

private:
  const ProcessMemory& memory_;
  Address next_;
  std::array<std::byte, 128> block_{};
  std::size_t at_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

/// runtime._func, which has tables of values by program counter.
struct GoFunctions::Function {
  Address entry = 0;
  Address end = 0;  // of the function
  std::int32_t name = 0;
  std::uint32_t frame_sizes = 0;
  std::uint32_t files = 0;
  std::uint32_t lines = 0;
  std::uint32_t unit = 0;
  std::uint32_t inlined = 0;      // a table; 0: nothing was inlined
  std::optional<Address> tree{};  // of what was inlined
};

GoFunctions::GoFunctions(const ProcessMemory& memory, const GoTables& tables)
    : memory_(memory), data_(tables.data) {
  const Address table = tables.functions;
  const auto magic = memory.value<std::uint32_t>(table);
  const auto sizes = memory.value<std::array<std::uint8_t, 4>>(table + sizeof magic);
  const bool is_known = magic == kGo118 || magic == kGo120;
  smallest_instruction_ = sizes[2];
  const bool is_usual = smallest_instruction_ == 1 || smallest_instruction_ == 4;
  if (!is_known || sizes[0] != 0 || sizes[1] != 0 || !is_usual || sizes[3] != sizeof(Address))
    throw UnreadableMemory("a table of functions in another format");
  has_first_lines_ = magic == kGo120;
  count_ = memory.value<std::uint64_t>(table + kCount);
  text_ = memory.pointer(table + kText);
  if (text_ == 0) text_ = tables.text;
  if (count_ == 0 || count_ > kMostFunctions || text_ == 0)
    throw UnreadableMemory("a table of functions without functions");
  names_ = table + memory.pointer(table + kNames);
  units_ = table + memory.pointer(table + kUnits);
  files_ = table + memory.pointer(table + kFiles);
  values_ = table + memory.pointer(table + kValues);
  functions_ = table + memory.pointer(table + kFunctions);
}

const GoCode& GoFunctions::before(Address return_address) const {
  const auto found = known_.find(return_address);
  if (found != known_.end()) return found->second;
  return known_.emplace(return_address, code_at(return_address - 1)).first->second;
}

GoFunctions::Function GoFunctions::function_at(Address address) const {
  // Pairs: where the code of a function begins, and where its runtime._func is.
  constexpr std::uint64_t kPair = 2 * sizeof(std::uint32_t);
  const auto begin = [this](std::uint64_t index) {
    return text_ + memory_.value<std::uint32_t>(functions_ + index * kPair);
  };
  if (address < begin(0) || address >= begin(count_))  // the last is half a pair
    throw UnreadableMemory("an address outside of Go's functions");
  std::uint64_t low = 0;
  std::uint64_t high = count_;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (begin(middle) <= address ? low : high) = middle;
  }
  const Address at =
      functions_ + memory_.value<std::uint32_t>(functions_ + low * kPair + sizeof(std::uint32_t));
  // The words of runtime._func.
  const auto word = [&](std::uint32_t index) {
    return memory_.value<std::uint32_t>(at + index * sizeof(std::uint32_t));
  };
  if (text_ + word(0) != begin(low)) throw UnreadableMemory("a function with another entry");
  const std::uint32_t kinds = has_first_lines_ ? 10 : 9;
  const std::uint32_t value_count = word(7);
  const std::uint32_t data_count = word(kinds) >> 24;
  Function function{.entry = begin(low),
                    .end = begin(low + 1),
                    .name = static_cast<std::int32_t>(word(1)),
                    .frame_sizes = word(4),
                    .files = word(5),
                    .lines = word(6),
                    .unit = word(8)};
  if (value_count > kInlinedValue && data_count > kInlinedTree) {
    function.inlined = word(kinds + 1 + kInlinedValue);
    const std::uint32_t tree = word(kinds + 1 + value_count + kInlinedTree);
    if (data_ != 0 && tree != kNoData) function.tree = data_ + tree;
  }
  return function;
}

/// A table has steps of a value and of the program counter, from -1 and the entry on.
std::int32_t GoFunctions::value_at(const Function& function, std::uint32_t table,
                                   Address address) const {
  if (table == 0) return -1;
  ByteReader bytes(memory_, values_ + table);
  Address counter = function.entry;
  std::uint32_t value = static_cast<std::uint32_t>(-1);
  while (counter < function.end) {
    const std::uint32_t step = bytes.number();
    if (step == 0 && counter != function.entry) break;
    value += (step & 1) != 0 ? ~(step >> 1) : step >> 1;
    counter += bytes.number() * smallest_instruction_;
    if (address < counter) return static_cast<std::int32_t>(value);
  }
  throw UnreadableMemory("a table that ends before its function");
}

GoCode GoFunctions::code_at(Address address) const {
  const Function function = function_at(address);
  const std::int32_t size = value_at(function, function.frame_sizes, address);
  if (size < 0) throw UnreadableMemory("a function without a frame");
  GoCode code{.frame_size = static_cast<std::uint64_t>(size)};
  const std::uint64_t entry_size = has_first_lines_ ? 16 : 20;
  const Address name_offset = has_first_lines_ ? 4 : 12;
  for (int depth = 0; depth < kMostInlined; ++depth) {
    const std::int32_t inlined = value_at(function, function.inlined, address);
    if (inlined < 0) break;
    if (!function.tree) {
      // The line is that of an inlined function, whose name is not known.
      code.frames.push_back({.function = name_at(function.name)});
      return code;
    }
    const Address entry = *function.tree + static_cast<std::uint64_t>(inlined) * entry_size;
    code.frames.push_back(
        frame(function, memory_.value<std::int32_t>(entry + name_offset), address));
    address = function.entry + memory_.value<std::uint32_t>(entry + name_offset + 4);
  }
  code.frames.push_back(frame(function, function.name, address));
  return code;
}

RuntimeFrame GoFunctions::frame(const Function& function, std::int32_t name,
                                Address address) const {
  return {.function = name_at(name),
          .file = file_of(function, address),
          .line = std::max(value_at(function, function.lines, address), 0)};
}

std::string GoFunctions::name_at(std::int32_t offset) const {
  if (offset <= 0) throw UnreadableMemory("a function without a name");
  return memory_.c_string(names_ + static_cast<std::uint64_t>(offset), kMostNameBytes);
}

std::string GoFunctions::file_of(const Function& function, Address address) const {
  const std::int32_t index = value_at(function, function.files, address);
  if (index < 0) return "";
  const std::uint64_t place = function.unit + static_cast<std::uint64_t>(index);
  const auto offset = memory_.value<std::uint32_t>(units_ + place * sizeof(std::uint32_t));
  if (offset == kNoData) return "";
  return memory_.c_string(files_ + offset, kMostNameBytes);
}

}  // namespace tcplab::capture
