// A frame that the wire handles, decoded once, with what the lab knows of it.
#pragma once

#include <cstdint>
#include <string>

#include "capture/decode/decoded_frame.hh"
#include "capture/event/describe.hh"
#include "lab/wire/packet_facts.hh"

namespace tcplab::lab {

struct ObservedFrame {
  std::uint64_t number = 0;
  std::string from{};               // a host; of a forged frame, the one that it shows
  std::string to{};                 // empty: a broadcast
  capture::DecodedFrame decoded{};  // as it was sent; the wire has the bytes
  bool is_forged = false;           // the lab made it
  bool is_listed = true;            // has an event of its own; others are counted (a flood)
  capture::SequenceBases bases{};   // what its relative numbers are relative to
  PacketFacts facts{};              // for packet words; none if nothing asks for them
};

}  // namespace tcplab::lab
