// Reads any bytes as a capture file, pcap or pcapng, and decodes its frames.
#include "base/error.hh"
#include "capture/decode/decode.hh"
#include "capture/files/pcap_reader.hh"
#include "tests/fuzz/input_file.hh"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcplab;
  static fuzz::InputFile file;
  if (!file.hold(data, size)) return 0;
  try {
    capture::CaptureReader reader(file.path());
    while (const auto frame = reader.next())
      capture::decode(frame->bytes, frame->link, frame->length);
  } catch (const base::UsageError&) {
    return 0;  // refused with one line, as intended
  }
  return 0;
}
