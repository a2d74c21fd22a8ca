// Any bytes as a line of events.jsonl: what is taken can be written and read again, unchanged.
#include <string_view>

#include "capture/event/event_json.hh"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcplab;
  std::string once;
  try {
    once = capture::to_json_line(capture::parse_event({reinterpret_cast<const char*>(data), size}));
  } catch (const base::UsageError&) {
    return 0;  // refused in one line, as it should be
  }
  // An exception here ends the fuzzer: what was written is refused.
  if (capture::to_json_line(capture::parse_event(once)) != once) __builtin_trap();
  return 0;
}
