#include "capture/runtimes/hotspot_code.hh"

#include <cstring>

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostHeaps = 8;
constexpr std::size_t kMostScopes = 256;  // inlined into one another

}  // namespace

HotspotCode::HotspotCode(const ProcessMemory& memory, const HotspotTables& tables,
                         HotspotPacking packing)
    : memory_(memory),
      at_(offsets_in(tables)),
      blobs_(hotspot_blobs(memory, tables)),
      packing_(packing) {}

HotspotCode::Offsets HotspotCode::offsets_in(const HotspotTables& tables) {
  const Address low = tables.offset("VirtualSpace::_low");
  return {
      .heaps = tables.address("CodeCache::_heaps"),
      .array_length = tables.offset("GrowableArrayBase::_len"),
      .array_data = tables.offset("GrowableArray<int>::_data"),
      .heap_low = tables.offset("CodeHeap::_memory") + low,
      .heap_high = tables.offset("CodeHeap::_memory") + tables.offset("VirtualSpace::_high"),
      .heap_segments = tables.offset("CodeHeap::_segmap") + low,
      .heap_shift = tables.offset("CodeHeap::_log2_segment_size"),
      .block_used = tables.offset("HeapBlock::_header") + tables.offset("HeapBlock::Header::_used"),
      .block_size = tables.size("HeapBlock"),
      .interpreter = tables.address("AbstractInterpreter::_code"),
      .stubs_begin = tables.offset("StubQueue::_stub_buffer"),
      .stubs_size = tables.offset("StubQueue::_buffer_limit"),
      .scope_of_place = tables.offset("PcDesc::_scope_decode_offset"),
      .place_size = tables.size("PcDesc"),
  };
}

bool HotspotCode::is_interpreter(Address program_counter) const {
  const Address queue = memory_.pointer(at_.interpreter);
  const Address begin = memory_.pointer(queue + at_.stubs_begin);
  return begin <= program_counter &&
         program_counter - begin < memory_.value<std::uint32_t>(queue + at_.stubs_size);
}

HotspotBlob HotspotCode::blob(Address program_counter) const {
  const Address heaps = memory_.pointer(at_.heaps);
  const auto count = memory_.value<std::uint32_t>(heaps + at_.array_length);
  const Address data = memory_.pointer(heaps + at_.array_data);
  for (std::size_t i = 0; i < count && i < kMostHeaps; ++i) {
    const Address heap = memory_.pointer(data + i * kHotspotWord);
    const Address low = memory_.pointer(heap + at_.heap_low);
    if (program_counter < low || program_counter >= memory_.pointer(heap + at_.heap_high)) continue;
    HotspotBlob blob = blobs_->read(blob_in(heap, low, program_counter));
    if (program_counter < blob.code || program_counter >= blob.code_end)
      throw UnreadableMemory("an address outside of the code");
    return blob;
  }
  throw UnreadableMemory("an address outside of all code");
}

/// The heap is divided into segments. Each has a byte that says how far back its block begins, or
/// where to look further; 0 where it begins (CodeHeap::find_block_for).
Address HotspotCode::blob_in(Address heap, Address low, Address program_counter) const {
  constexpr std::uint8_t kUnused = 0xff;
  const auto shift = memory_.value<std::uint32_t>(heap + at_.heap_shift);
  const Address segments = memory_.pointer(heap + at_.heap_segments);
  if (shift > 16) throw UnreadableMemory("an implausible size of segments");
  Address segment = (program_counter - low) >> shift;
  auto back = memory_.value<std::uint8_t>(segments + segment);
  if (back == kUnused) throw UnreadableMemory("an unused segment");
  while (back > 0) {
    if (back > segment) throw UnreadableMemory("a block that begins before its heap");
    segment -= back;
    back = memory_.value<std::uint8_t>(segments + segment);
  }
  const Address block = low + (segment << shift);
  if (memory_.value<std::uint8_t>(block + at_.block_used) != 1)
    throw UnreadableMemory("a block that is not in use");
  return block + at_.block_size;
}

std::vector<HotspotScope> HotspotCode::scopes(const HotspotBlob& blob, Address return_address,
                                              Address stack_pointer) const {
  if (!blob.is_compiled) return {};
  if (blob.is_native) return {{.method = blob.method, .bytecode = -1}};
  if (return_address == blob.deoptimizes || return_address == blob.deoptimizes_handle)
    return_address = memory_.pointer(stack_pointer + blob.true_return);
  std::vector<HotspotScope> scopes;
  std::uint32_t scope = scope_at(blob, return_address);
  while (scope != 0 && scopes.size() < kMostScopes) {
    std::vector<std::byte> bytes(16);  // three numbers have at most 15
    bytes.resize(memory_.read(blob.scopes + scope, bytes));
    HotspotNumbers numbers(packing_, bytes);
    const std::uint32_t caller = numbers.number();
    const Address method = method_at(blob, numbers.number());
    scopes.push_back({.method = method, .bytecode = static_cast<int>(numbers.number() - 1)});
    if (caller >= scope && caller != 0) throw UnreadableMemory("a scope before that of its caller");
    scope = caller;
  }
  if (scopes.empty() || scopes.back().method != blob.method)
    throw UnreadableMemory("the scopes of another method");
  return scopes;
}

/// The PcDescs: a distance from the begin of the code, and its scope.
std::uint32_t HotspotCode::scope_at(const HotspotBlob& blob, Address return_address) const {
  const Address distance = return_address - blob.code;
  if (blob.places_end < blob.places) throw UnreadableMemory("places without an order");
  const std::vector<std::byte> bytes = memory_.bytes(blob.places, blob.places_end - blob.places);
  for (Address at = 0; at + at_.place_size <= bytes.size(); at += at_.place_size) {
    std::uint32_t place = 0;
    std::memcpy(&place, &bytes[at], sizeof place);
    if (place != distance) continue;
    std::uint32_t scope = 0;
    std::memcpy(&scope, &bytes[at + at_.scope_of_place], sizeof scope);
    return scope;
  }
  throw UnreadableMemory("a return address where nothing is called");
}

/// Indices count from 1.
Address HotspotCode::method_at(const HotspotBlob& blob, std::uint32_t index) const {
  const Address at = blob.metadata + (Address{index} - 1) * kHotspotWord;
  if (index == 0 || at >= blob.metadata_end)
    throw UnreadableMemory("a method outside of the list of its code");
  return memory_.pointer(at);
}

}  // namespace tcplab::capture
