#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

std::string to_text(const RuntimeFrame& frame) {
  if (frame.file.empty()) return frame.function;
  const std::string line = frame.line > 0 ? ":" + std::to_string(frame.line) : "";
  return frame.function + " (" + frame.file + line + ")";
}

std::vector<RuntimeFrame> frames_or_none(const Runtime& runtime, const ThreadPosition& thread) {
  runtime.memory().renew();
  try {
    return runtime.frames(thread);
  } catch (const UnreadableMemory&) {
    return {};
  }
}

}  // namespace tcplab::capture
