// A frame as a capture has it.
#pragma once

#include <cstdint>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"

namespace tcplab::capture {

struct CapturedFrame {
  std::int64_t at = 0;                 // nanoseconds since 1970
  Bytes bytes;                         // as much as was captured
  std::size_t length = 0;              // on the wire
  LinkType link = LinkType::ethernet;  // of the interface that captured it
};

}  // namespace tcplab::capture
