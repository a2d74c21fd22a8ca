#include "capture/runtimes/runtime.hh"

#include <fstream>
#include <sstream>

namespace tcplab::capture {

std::string to_text(const RuntimeFrame& frame) {
  if (frame.file.empty()) return frame.function;
  const std::string line = frame.line > 0 ? ":" + std::to_string(frame.line) : "";
  return frame.function + " (" + frame.file + line + ")";
}

pid_t own_thread_id(pid_t process, pid_t thread) {
  std::ifstream status("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) +
                       "/status");
  constexpr std::string_view kIds = "NSpid:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(kIds)) continue;
    std::istringstream numbers(line.substr(kIds.size()));
    for (pid_t id = 0; numbers >> id;) thread = id;  // the innermost is the last
  }
  return thread;
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
