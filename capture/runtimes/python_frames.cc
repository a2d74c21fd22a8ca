#include "capture/runtimes/python_frames.hh"

#include "capture/runtimes/python_lines.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint8_t kOfCStack = 3;  // FRAME_OWNED_BY_CSTACK: an entry from C, no function
constexpr std::uint32_t kMostValues = 100'000;

}  // namespace

std::optional<RuntimeFrame> PythonFrames::read(Address frame) const {
  const ProcessMemory& memory = objects_.memory();
  const PythonLayout& layout = objects_.layout();
  if (layout.frame_owner != PythonLayout::kNone &&
      memory.value<std::uint8_t>(frame + layout.frame_owner) == kOfCStack)
    return std::nullopt;
  const Address code = memory.pointer(frame + layout.frame_code);
  objects_.check_type(code, objects_.types().code);
  return RuntimeFrame{.function = objects_.text(memory.pointer(code + layout.code_name)),
                      .file = objects_.text(memory.pointer(code + layout.code_file)),
                      .line = line(frame, code)};
}

Address PythonFrames::caller(Address frame) const {
  return objects_.memory().pointer(frame + objects_.layout().frame_previous);
}

Address PythonFrames::first_local(Address frame) const {
  return objects_.memory().pointer(frame + objects_.layout().frame_locals);
}

/// From 3.11 on, it is a part of the generator.
Address PythonFrames::of_generator(Address generator) const {
  const Address place = generator + objects_.layout().generator_frame;
  return objects_.layout().minor >= 11 ? place : objects_.memory().pointer(place);
}

/// Above the local variables from 3.11 on.
Address PythonFrames::awaited(Address frame) const {
  const ProcessMemory& memory = objects_.memory();
  const PythonLayout& layout = objects_.layout();
  if (layout.minor < 10) {
    const Address top = memory.pointer(frame + layout.frame_stack_top);
    return top == 0 ? 0 : memory.pointer(top - sizeof(Address));
  }
  const auto count = memory.value<std::uint32_t>(frame + layout.frame_stack_top);
  if (count == 0 || count > kMostValues) return 0;
  const Address values = layout.frame_stack == PythonLayout::kNone
                             ? frame + layout.frame_locals
                             : memory.pointer(frame + layout.frame_stack);
  return memory.pointer(values + (count - 1) * sizeof(Address));
}

int PythonFrames::line(Address frame, Address code) const {
  const ProcessMemory& memory = objects_.memory();
  const PythonLayout& layout = objects_.layout();
  const std::vector<std::byte> table =
      objects_.byte_string(memory.pointer(code + layout.code_lines));
  return python_line(layout.lines, table, instruction(frame, code),
                     memory.value<int>(code + layout.code_first_line));
}

/// The offset of the instruction that a frame executes, in bytes.
std::uint64_t PythonFrames::instruction(Address frame, Address code) const {
  const ProcessMemory& memory = objects_.memory();
  const PythonLayout& layout = objects_.layout();
  if (layout.code_instructions != PythonLayout::kNone)
    return memory.pointer(frame + layout.frame_instruction) - code - layout.code_instructions;
  const int index = memory.value<int>(frame + layout.frame_instruction);
  constexpr int kUnit = 2;  // 3.10 counts instructions, earlier versions bytes
  return static_cast<std::uint64_t>(index) * (layout.lines == PythonLines::pairs ? kUnit : 1);
}

}  // namespace tcplab::capture
