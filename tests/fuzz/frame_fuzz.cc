// Decodes and describes any bytes as an Ethernet frame, and looks for its connection.
#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/follow/initial_sequences.hh"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcplab::capture;
  const Bytes frame(data, size);
  const DecodedFrame decoded = decode(frame);
  InitialSequences sequences;
  const Packet packet = describe(decoded, sequences.note(decoded));
  // flow_of() must find every segment that decode() finds outside of tunnels.
  if (decoded.tcp && decoded.tunnels == 0 && !flow_of(frame)) __builtin_trap();
  if (packet.summary.empty()) __builtin_trap();
  return 0;
}
