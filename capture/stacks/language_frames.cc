#include "capture/stacks/language_frames.hh"

#include <algorithm>

namespace tcplab::capture {

std::vector<std::string> with_language(std::vector<std::string> native, const Runtime& runtime,
                                       const std::vector<RuntimeFrame>& language) {
  if (language.empty()) return native;
  const auto interpreter = std::ranges::find_if(
      native, [&runtime](const std::string& frame) { return runtime.is_interpreter(frame); });
  native.erase(interpreter, native.end());
  for (const RuntimeFrame& frame : language) native.push_back(to_text(frame));
  return native;
}

}  // namespace tcplab::capture
