#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kRadiotapSize = 8;

/// Returns the field Flags of a radiotap header; 0 if it has none. `header` is the whole header.
std::uint8_t flags_of_radiotap(Bytes header) {
  constexpr std::uint32_t kTime = 1U << 0;  // 8 bytes, aligned to 8
  constexpr std::uint32_t kFlags = 1U << 1;
  constexpr std::uint32_t kMore = 1U << 31;  // another word of bits follows
  const std::uint32_t present = read_little32(header, 4);
  std::size_t at = 4;
  while (at + 8 <= header.size() && (read_little32(header, at) & kMore) != 0) at += 4;
  at += 4;
  if ((present & kTime) != 0) at = (at + 7) / 8 * 8 + 8;
  return (present & kFlags) != 0 && at < header.size() ? header[at] : 0;
}

}  // namespace

// https://www.radiotap.org: version, padding (1 byte each), the header's length (2, little-endian),
// bits for the fields that follow (4).
void decode_radiotap(DecodedFrame& frame, Bytes bytes) {
  constexpr std::uint8_t kPadded = 0x20;
  if (bytes.size() < kRadiotapSize) return note_malformed(frame, "truncated radiotap header");
  const std::size_t size = read_little16(bytes, 2);
  if (size < kRadiotapSize || size > bytes.size())
    return note_malformed(frame, "truncated radiotap header");
  const bool is_padded = (flags_of_radiotap(slice(bytes, 0, size)) & kPadded) != 0;
  decode_wifi(frame, slice(bytes, size), is_padded);
}

// IEEE 802.11 section 9.2: frame control, duration (2 bytes each), addresses 1 to 3 (6 each),
// sequence control (2); address 4 between two access points; QoS control (2); HT control (4).
void decode_wifi(DecodedFrame& frame, Bytes bytes, bool is_padded) {
  constexpr std::size_t kHeaderSize = 24;
  constexpr unsigned kData = 2;
  constexpr unsigned kQos = 8;
  constexpr unsigned kNoData = 4;
  constexpr std::uint8_t kBetweenAccessPoints = 0x03;
  constexpr std::uint8_t kProtected = 0x40;
  constexpr std::uint8_t kHtControl = 0x80;
  constexpr std::uint8_t kAmsdu = 0x80;
  if (bytes.size() < 2) return note_malformed(frame, "truncated 802.11 header");
  const unsigned type = bytes[0] >> 2 & 3U;
  const unsigned subtype = bytes[0] >> 4;
  const std::uint8_t flags = bytes[1];
  if (type != kData || (subtype & kNoData) != 0) {
    frame.undecoded = {Undecoded::Kind::wifi_control, 0};
    return;
  }
  std::size_t size = kHeaderSize;
  if ((flags & kBetweenAccessPoints) == kBetweenAccessPoints) size += 6;
  const std::size_t qos = size;
  if ((subtype & kQos) != 0) size += (flags & kHtControl) != 0 ? 6 : 2;
  if (is_padded) size = (size + 3) / 4 * 4;
  if (bytes.size() < size) return note_malformed(frame, "truncated 802.11 header");
  if ((flags & kProtected) != 0)
    frame.undecoded = {Undecoded::Kind::wifi_secret, 0};
  else if ((subtype & kQos) != 0 && (bytes[qos] & kAmsdu) != 0)
    frame.undecoded = {Undecoded::Kind::wifi_amsdu, 0};
  else
    decode_llc(frame, slice(bytes, size));
}

}  // namespace tcplab::capture
