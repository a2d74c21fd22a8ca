// Reads any bytes as a line of events.jsonl. A line that is accepted must be the same after it is
// written and read again.
#include <string_view>

#include "capture/event/event_json.hh"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcplab;
  std::string once;
  try {
    once = capture::to_json_line(capture::parse_event({reinterpret_cast<const char*>(data), size}));
  } catch (const base::UsageError&) {
    return 0;  // refused with one line, as intended
  }
  // An exception here ends the fuzzer: the parser refused a line that the writer wrote.
  if (capture::to_json_line(capture::parse_event(once)) != once) __builtin_trap();
  return 0;
}
