#include "capture/runtimes/python_layout.hh"

#include <algorithm>
#include <array>

namespace tcplab::capture {

namespace {

constexpr PythonLayout kPython8 = {.minor = 8,
                                   .lines = PythonLines::lnotab,
                                   .runtime_interpreters = 32,
                                   .interpreter_threads = 8,
                                   .thread_id = 176,
                                   .thread_frame = 24,
                                   .frame_code = 32,
                                   .frame_previous = 24,
                                   .frame_instruction = 104,
                                   .code_file = 104,
                                   .code_name = 112,
                                   .code_first_line = 40,
                                   .code_lines = 120,
                                   .frame_locals = 360,
                                   .frame_stack_top = 72,
                                   .generator_frame = 16,
                                   .function_code = 16,
                                   .function_closure = 48,
                                   .text_ascii = 48,
                                   .text_compact = 72};

constexpr PythonLayout kPython11 = {.minor = 11,
                                    .lines = PythonLines::table,
                                    .runtime_interpreters = 40,
                                    .interpreter_threads = 16,
                                    .thread_native_id = 160,
                                    .thread_cframe = 56,
                                    .cframe_frame = 8,
                                    .frame_code = 32,
                                    .frame_previous = 48,
                                    .frame_instruction = 56,
                                    .frame_owner = 69,
                                    .code_file = 112,
                                    .code_name = 128,
                                    .code_first_line = 72,
                                    .code_lines = 136,
                                    .code_instructions = 184,
                                    .frame_locals = 72,
                                    .frame_stack_top = 64,
                                    .generator_frame = 80,
                                    .function_code = 48,
                                    .function_closure = 72,
                                    .type_keys = 872,
                                    .text_ascii = 48,
                                    .text_compact = 72};

constexpr PythonLayout python9() {
  PythonLayout layout = kPython8;
  layout.minor = 9;
  return layout;
}

constexpr PythonLayout python10() {
  PythonLayout layout = kPython8;
  layout.minor = 10;
  layout.lines = PythonLines::pairs;
  layout.frame_instruction = 96;
  layout.frame_locals = 352;
  layout.frame_stack_top = 80;
  layout.frame_stack = 64;
  layout.function_code = 48;
  layout.function_closure = 72;
  return layout;
}

constexpr PythonLayout python12() {
  PythonLayout layout = kPython11;
  layout.minor = 12;
  layout.interpreter_threads = 72;
  layout.thread_native_id = 144;
  layout.cframe_frame = 0;
  layout.frame_code = 0;
  layout.frame_previous = 8;
  layout.frame_owner = 70;
  layout.code_first_line = 68;
  layout.code_instructions = 192;
  layout.generator_frame = 72;
  layout.type_keys = 880;
  layout.text_ascii = 40;
  layout.text_compact = 56;
  return layout;
}

constexpr PythonLayout python13() {
  PythonLayout layout = python12();
  layout.minor = 13;
  layout.runtime_interpreters = 632;
  layout.interpreter_next = 7264;
  layout.interpreter_threads = 7344;
  layout.thread_native_id = 160;
  layout.thread_cframe = PythonLayout::kNone;
  layout.cframe_frame = PythonLayout::kNone;
  layout.thread_frame = 72;
  layout.code_instructions = 200;
  return layout;
}

constexpr std::array<PythonLayout, 6> kLayouts = {kPython8,  python9(),  python10(),
                                                  kPython11, python12(), python13()};

}  // namespace

std::optional<PythonLayout> python_layout(int minor) {
  const auto found = std::ranges::find(kLayouts, minor, &PythonLayout::minor);
  if (found == kLayouts.end()) return std::nullopt;
  return *found;
}

}  // namespace tcplab::capture
