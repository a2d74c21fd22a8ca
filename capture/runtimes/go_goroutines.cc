#include "capture/runtimes/go_goroutines.hh"

#include <algorithm>
#include <limits>

namespace tcplab::capture {

namespace {

constexpr std::uint64_t kMostGoroutines = 1 << 22;
constexpr std::uint64_t kAtOnce = 1 << 16;  // of the list
constexpr std::uint32_t kWaits = 4;         // _Gwaiting
constexpr std::uint32_t kScanned = 0x1000;  // _Gscan: the garbage collector reads its stack
constexpr std::uint64_t kMostReasonBytes = 64;

/// The frames of gopark and netpollblock, and the arguments of their callers.
constexpr std::uint64_t kMostWords = 64;

}  // namespace

Goroutines::Goroutines(const ProcessMemory& memory, const GoLayout& layout, const Symbols& symbols)
    : memory_(memory),
      layout_(layout),
      list_(address_of(symbols, "runtime.allgptr")),
      length_(address_of(symbols, "runtime.allglen")),
      reasons_(address_of(symbols, "runtime.waitReasonStrings")) {}

std::vector<ParkedGoroutine> Goroutines::parked_for(std::string_view reason) const {
  std::vector<ParkedGoroutine> parked;
  // In this order: the list may grow, and then moves before its length changes.
  const auto length = memory_.value<std::uint64_t>(length_);
  const Address list = memory_.pointer(list_);
  if (length > kMostGoroutines) throw UnreadableMemory("an implausible number of goroutines");
  for (std::uint64_t begin = 0; begin < length; begin += kAtOnce) {
    std::vector<Address> part(std::min(kAtOnce, length - begin));
    const auto bytes = std::as_writable_bytes(std::span(part));
    if (memory_.read(list + begin * sizeof(Address), bytes) != bytes.size())
      throw UnreadableMemory("a list of goroutines that cannot be read");
    for (const Address address : part)
      if (auto goroutine = look_at(address, reason)) parked.push_back(std::move(*goroutine));
  }
  return parked;
}

bool Goroutines::is_still_parked(const ParkedGoroutine& goroutine) const {
  return look_at(goroutine.address, goroutine.reason) == goroutine;
}

std::optional<ParkedGoroutine> Goroutines::look_at(Address goroutine,
                                                   std::string_view reason) const {
  const auto status = memory_.value<std::uint32_t>(goroutine + layout_.status);
  if ((status & ~kScanned) != kWaits) return std::nullopt;
  // Compared first: there may be a million goroutines, and each read takes a microsecond.
  std::string its = reason_text(memory_.value<std::uint8_t>(goroutine + layout_.wait_reason));
  if (its != reason) return std::nullopt;
  ParkedGoroutine found{.address = goroutine,
                        .number = memory_.value<std::uint64_t>(goroutine + layout_.number),
                        .reason = std::move(its),
                        .stack_low = memory_.pointer(goroutine + layout_.stack_low),
                        .stack_high = memory_.pointer(goroutine + layout_.stack_high),
                        .stack_pointer = memory_.pointer(goroutine + layout_.stack_pointer),
                        .program_counter = memory_.pointer(goroutine + layout_.program_counter)};
  if (found.stack_pointer < found.stack_low || found.stack_pointer >= found.stack_high)
    throw UnreadableMemory("a goroutine outside of its stack");
  if (reason == kForDescriptor) find_descriptor(found);
  return found;
}

/// waitReasonStrings is an array of strings: a pointer and a length.
std::string Goroutines::reason_text(std::uint8_t number) const {
  const Address text = reasons_ + number * 2 * sizeof(Address);
  const auto length = memory_.value<std::uint64_t>(text + sizeof(Address));
  if (length == 0 || length > kMostReasonBytes) return "";
  return memory_.text(memory_.pointer(text), length);
}

/// netpollblock keeps a pointer to `rg` or `wg` on the stack, and its callers one to the pollDesc.
void Goroutines::find_descriptor(ParkedGoroutine& goroutine) const {
  const std::uint64_t space = (goroutine.stack_high - goroutine.stack_pointer) / sizeof(Address);
  std::vector<Address> words(std::min(kMostWords, space));
  const auto bytes = std::as_writable_bytes(std::span(words));
  if (memory_.read(goroutine.stack_pointer, bytes) != bytes.size()) return;
  const auto is_candidate = [&goroutine](Address word) {
    const bool is_on_stack = goroutine.stack_low <= word && word < goroutine.stack_high;
    return word % sizeof(Address) == 0 && word > std::numeric_limits<std::uint16_t>::max() &&
           !is_on_stack;
  };
  for (const Address word : words) {
    if (!is_candidate(word)) continue;
    for (const Address member : {std::uint64_t{0}, layout_.reader, layout_.writer})
      if (take_poll(word - member, goroutine)) return;
  }
}

/// Two facts prove that it is a pollDesc in which this goroutine is registered: it has its own
/// address, and the goroutine's.
bool Goroutines::take_poll(Address poll, ParkedGoroutine& goroutine) const {
  Address self = 0;
  const auto into = std::as_writable_bytes(std::span(&self, 1));
  if (memory_.read(poll + layout_.self, into) != into.size() || self != poll) return false;
  const bool reads = memory_.pointer(poll + layout_.reader) == goroutine.address;
  const bool writes = memory_.pointer(poll + layout_.writer) == goroutine.address;
  const auto descriptor = memory_.value<std::uint64_t>(poll + layout_.descriptor);
  if (reads == writes || descriptor > std::numeric_limits<int>::max()) return false;
  goroutine.poll = poll;
  goroutine.descriptor = static_cast<int>(descriptor);
  goroutine.writes = writes;
  goroutine.deadline =
      memory_.value<std::int64_t>(poll + (writes ? layout_.write_deadline : layout_.read_deadline));
  return true;
}

}  // namespace tcplab::capture
