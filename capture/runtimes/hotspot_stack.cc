#include "capture/runtimes/hotspot_stack.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostJavaFrames = 1024;

// The frames of the interpreter, from the frame pointer (frame_x86.hpp, frame_aarch64.hpp).
constexpr Address kCallersFramePointer = 0;
constexpr Address kReturnAddress = 1 * kHotspotWord;
constexpr Address kCallersStackPointer = 1 * kHotspotWord;  // below
constexpr Address kMethod = 3 * kHotspotWord;               // below
constexpr Address kBytecode = 8 * kHotspotWord;             // below

}  // namespace

HotspotStack::HotspotStack(const ProcessMemory& memory, const HotspotTables& tables,
                           HotspotPacking packing)
    : memory_(memory),
      at_(offsets_in(tables)),
      code_(memory, tables, packing),
      methods_(memory, tables, packing) {}

HotspotStack::Offsets HotspotStack::offsets_in(const HotspotTables& tables) {
  const int wrapper = tables.constant("frame::entry_frame_call_wrapper_offset");
  if (wrapper >= 0) throw UnreadableMemory("another layout of frames");
  return {
      .anchor_stack_pointer = tables.offset("JavaFrameAnchor::_last_Java_sp"),
      .anchor_frame_pointer = tables.offset("JavaFrameAnchor::_last_Java_fp"),
      .anchor_program_counter = tables.offset("JavaFrameAnchor::_last_Java_pc"),
      .wrapper_anchor = tables.offset("JavaCallWrapper::_anchor"),
      .call_stub_return = tables.address("StubRoutines::_call_stub_return_address"),
      .wrapper = static_cast<Address>(-wrapper) * kHotspotWord,
  };
}

std::vector<RuntimeFrame> HotspotStack::frames(Address anchor, MemoryRange stack) const {
  std::vector<RuntimeFrame> named;
  std::optional<Frame> frame = noted(anchor);
  while (frame && named.size() < kMostJavaFrames) {
    if (frame->stack_pointer < stack.begin || frame->stack_pointer >= stack.end)
      throw UnreadableMemory("a frame outside of its stack");
    stack.begin = frame->stack_pointer + kHotspotWord;  // callers have higher addresses
    frame = caller(*frame, named);
  }
  return named;
}

std::optional<HotspotStack::Frame> HotspotStack::noted(Address anchor) const {
  const Address stack_pointer = memory_.pointer(anchor + at_.anchor_stack_pointer);
  if (stack_pointer == 0) return std::nullopt;
  Address program_counter = memory_.pointer(anchor + at_.anchor_program_counter);
  // A call from the interpreter notes only where it has pushed it.
  if (program_counter == 0) program_counter = memory_.pointer(stack_pointer - kHotspotWord);
  return Frame{.program_counter = program_counter,
               .stack_pointer = stack_pointer,
               .frame_pointer = memory_.pointer(anchor + at_.anchor_frame_pointer)};
}

std::optional<HotspotStack::Frame> HotspotStack::caller(const Frame& frame,
                                                        std::vector<RuntimeFrame>& named) const {
  // Native code has called Java here, and keeps the anchor of the Java frame that called it.
  if (frame.program_counter == memory_.pointer(at_.call_stub_return))
    return noted(memory_.pointer(frame.frame_pointer - at_.wrapper) + at_.wrapper_anchor);
  if (code_.is_interpreter(frame.program_counter)) return caller_of_interpreted(frame, named);
  return caller_of_compiled(frame, named);
}

HotspotStack::Frame HotspotStack::caller_of_interpreted(const Frame& frame,
                                                        std::vector<RuntimeFrame>& named) const {
  const Address at = frame.frame_pointer;
  if (at < frame.stack_pointer || at % kHotspotWord != 0)
    throw UnreadableMemory("a frame of the interpreter outside of its stack");
  const Address method = memory_.pointer(at - kMethod);
  named.push_back(
      methods_.name(method, methods_.bytecode(method, memory_.pointer(at - kBytecode))));
  return {.program_counter = memory_.pointer(at + kReturnAddress),
          .stack_pointer = memory_.pointer(at - kCallersStackPointer),
          .frame_pointer = memory_.pointer(at + kCallersFramePointer)};
}

HotspotStack::Frame HotspotStack::caller_of_compiled(const Frame& frame,
                                                     std::vector<RuntimeFrame>& named) const {
  const HotspotBlob blob = code_.blob(frame.program_counter);
  if (blob.frame_size < 2 * kHotspotWord) throw UnreadableMemory("code without a frame");
  for (const HotspotScope& scope : code_.scopes(blob, frame.program_counter, frame.stack_pointer))
    named.push_back(methods_.name(scope.method, scope.bytecode));
  const Address end = frame.stack_pointer + blob.frame_size;
  return {.program_counter = memory_.pointer(end - kHotspotWord),
          .stack_pointer = end,
          .frame_pointer = memory_.pointer(end - 2 * kHotspotWord)};
}

}  // namespace tcplab::capture
