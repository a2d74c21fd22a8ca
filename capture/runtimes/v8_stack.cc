#include "capture/runtimes/v8_stack.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace tcplab::capture {

namespace {

constexpr Address kStackWord = sizeof(Address);
constexpr std::size_t kMostStackBytes = 1 << 20;  // V8's own limit is 984 kB
constexpr std::size_t kMostFunctions = 128;

// V8 allocates objects in chunks. The head of each chunk points to the heap of its isolate, which
// is a member of the isolate.
constexpr Address kChunk = 1 << 18;
constexpr std::size_t kChunkHeadWords = 16;
constexpr std::size_t kIsolateBytes = 1 << 17;  // enough for what is before the heap
constexpr std::size_t kPage = 4096;

// An entry frame has, below its pointer, its type, its context, the registers of C++, and the link.
constexpr Address kEntryWords = 12;

}  // namespace

V8Stack::V8Stack(const ProcessImage& image, const V8Heap& heap, Address stack_pointer)
    : image_(image), heap_(heap), start_(stack_pointer / kStackWord * kStackWord) {
  const Mapping* mapping = image.mapping(start_);
  if (mapping == nullptr) return;
  words_.resize(std::min<std::size_t>(mapping->end - start_, kMostStackBytes) / kStackWord);
  const std::size_t read = heap.memory().read(start_, std::as_writable_bytes(std::span(words_)));
  words_.resize(read / kStackWord);
}

std::optional<Address> V8Stack::at(Address address) const {
  if (address < start_ || address % kStackWord != 0) return std::nullopt;
  const Address index = (address - start_) / kStackWord;
  if (index >= words_.size()) return std::nullopt;
  return words_[index];
}

Address V8Stack::word(const V8Frame& frame, int offset) const {
  const auto word = at(frame.pointer + static_cast<Address>(offset));
  if (!word) throw UnreadableMemory("a frame outside of its stack");
  return *word;
}

std::optional<int> V8Stack::frame_type(Address frame) const {
  // A function has its context there, an object. Others have their type, as twice its number.
  const auto marker = at(frame + static_cast<Address>(heap_.layout().frame_context));
  const auto& types = heap_.layout().frame_types;
  if (!marker || *marker % 2 != 0 || *marker / 2 > static_cast<Address>(*types.rbegin()))
    return std::nullopt;
  const int type = static_cast<int>(*marker / 2);
  return types.contains(type) ? std::optional(type) : std::nullopt;
}

bool V8Stack::is_exit(Address frame) const {
  const auto type = frame_type(frame);
  if (!type || !heap_.layout().exit_types.contains(*type)) return false;
  const auto caller = at(frame);
  return caller && *caller > frame && at(*caller);
}

std::vector<Address> V8Stack::exits() const {
  std::vector<Address> exits;
  for (Address frame = start_; frame < start_ + words_.size() * kStackWord; frame += kStackWord)
    if (is_exit(frame)) exits.push_back(frame);
  return exits;
}

std::optional<Address> V8Stack::first_of(Address from, std::size_t size,
                                         const std::vector<Address>& exits) const {
  std::array<Address, kPage / kStackWord> words{};
  const std::size_t read = heap_.memory().read(
      from, std::as_writable_bytes(std::span(words)).first(std::min(size, kPage)));
  for (std::size_t i = 0; i < read / kStackWord; ++i)
    if (std::ranges::binary_search(exits, words[i])) return words[i];
  return std::nullopt;
}

std::optional<Address> V8Stack::current_exit(TaggedValue object,
                                             const std::vector<Address>& exits) const {
  const Address chunk = object / kChunk * kChunk;
  std::array<Address, kChunkHeadWords> head{};
  if (heap_.memory().read(chunk, std::as_writable_bytes(std::span(head))) != sizeof head)
    return std::nullopt;
  for (const Address heap : head) {
    if (heap < kIsolateBytes || heap % kStackWord != 0) continue;
    Address end = heap;
    while (end > heap - kIsolateBytes) {
      const Address page = (end - 1) / kPage * kPage;
      if (std::array<Address, 1> first{};
          heap_.memory().read(page, std::as_writable_bytes(std::span(first))) == 0)
        break;
      if (const auto exit = first_of(page, end - page, exits)) return exit;
      end = page;
    }
  }
  return std::nullopt;
}

std::optional<Address> V8Stack::current_exit(const std::vector<Address>& exits) const {
  for (const Address exit : exits) {
    try {
      std::vector<V8Frame> frames;
      walk(exit, 1, frames);
      if (frames.empty()) continue;
      if (const auto current = current_exit(frames.front().function, exits)) return current;
    } catch (const UnreadableMemory&) {
      continue;  // the remains of a frame
    }
  }
  return std::nullopt;
}

std::optional<Address> V8Stack::outer_exit(Address entry, const std::vector<Address>& exits) const {
  for (Address i = 1; i <= kEntryWords; ++i) {
    const auto saved = at(entry - i * kStackWord);
    if (saved && *saved > entry && std::ranges::binary_search(exits, *saved)) return saved;
  }
  return std::nullopt;
}

Address V8Stack::walk(Address exit, std::size_t most, std::vector<V8Frame>& frames) const {
  const V8Layout& layout = heap_.layout();
  Address counter = 0;
  Address frame = exit;
  while (frames.size() < most) {
    if (const auto type = frame_type(frame); !type) {
      V8Frame found{.pointer = frame, .program_counter = counter};
      found.function = word(found, layout.frame_function);
      const bool has_context = is_object(word(found, layout.frame_context));
      if (!has_context || !heap_.is_function(found.function))
        throw UnreadableMemory("a frame of another kind");
      frames.push_back(found);
    } else if (layout.entry_types.contains(*type)) {
      break;
    }
    const auto caller = at(frame);
    const auto returns_to = at(frame + kStackWord);
    if (!caller || *caller <= frame || !returns_to)
      throw UnreadableMemory("a chain of frames that breaks off");
    counter = *returns_to;
    frame = *caller;
  }
  return frame;
}

std::vector<V8Frame> V8Stack::frames() const {
  std::vector<V8Frame> frames;
  const std::vector<Address> all = exits();
  auto exit = current_exit(all);
  while (exit && frames.size() < kMostFunctions)
    exit = outer_exit(walk(*exit, kMostFunctions, frames), all);
  return frames;
}

}  // namespace tcplab::capture
