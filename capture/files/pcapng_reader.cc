#include "capture/files/pcapng_reader.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/files/pcapng_format.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kHeadSize = 8;                         // type and length
constexpr std::size_t kTailSize = 4;                         // the length again
constexpr std::uint32_t kLongest = std::uint32_t{16} << 20;  // of a block; libpcap's limit
constexpr std::size_t kReadAhead = std::size_t{256} << 10;

[[noreturn]] void fail(const std::string& why) { throw base::UsageError(why); }

/// Section 4.2: a negative power of 10, or of 2 if the highest bit is set.
std::uint64_t units_of(std::uint8_t resolution) {
  const unsigned power = resolution & 0x7fU;
  const bool is_binary = (resolution & 0x80U) != 0;
  if (power > (is_binary ? 63U : 19U))
    fail(fmt::format("an interface has the timestamp resolution {}, which nobody can read",
                     resolution));
  if (is_binary) return std::uint64_t{1} << power;
  std::uint64_t units = 1;
  for (unsigned i = 0; i < power; ++i) units *= 10;
  return units;
}

/// Returns nanoseconds since 1970, at most those of the year 2255, so that any two times can be
/// subtracted. A timestamp with the highest bit set is before 1970, as broken clocks and tools
/// write it: it comes before the latest time, so that the time between two such frames is right.
std::int64_t nanoseconds_of(std::uint64_t timestamp, std::uint64_t units, std::int64_t offset) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kLatest = 9'000'000'000;  // seconds
  const bool is_negative = timestamp >> 63 != 0;
  if (is_negative) timestamp = 0 - timestamp;
  const std::uint64_t rest = timestamp % units;
  const auto whole =
      static_cast<std::int64_t>(std::min<std::uint64_t>(timestamp / units, std::uint64_t{kLatest}));
  const std::int64_t seconds = std::clamp(
      (is_negative ? kLatest - whole - 1 : whole) + std::clamp(offset, -kLatest, kLatest),
      std::int64_t{0}, kLatest - 1);
  const std::int64_t part =
      units <= std::uint64_t{kSecond}
          ? static_cast<std::int64_t>(rest * std::uint64_t{kSecond} / units)
          : static_cast<std::int64_t>(static_cast<long double>(rest) * kSecond /
                                      static_cast<long double>(units));
  return seconds * kSecond + (is_negative ? kSecond - part : part);
}

}  // namespace

PcapngReader::PcapngReader(std::FILE* file) : file_(file) {
  std::setvbuf(file, nullptr, _IOFBF, kReadAhead);
}

std::optional<CapturedFrame> PcapngReader::next() {
  while (read_block()) {
    if (type_ == pcapng::kSectionHeader) begin_section();
    if (type_ == pcapng::kInterfaceDescription) add_interface();
    if (const auto packet = this->packet()) return frame_of(*packet);
  }
  return std::nullopt;
}

/// Reads a block: type, total length, body, and the total length again (section 3.1). Returns false
/// at the end of the file.
bool PcapngReader::read_block() {
  std::uint8_t head[kHeadSize + 4];  // with the magic number of a section header
  const std::size_t got = std::fread(head, 1, kHeadSize, file_.get());
  if (got == 0) return false;
  if (got < kHeadSize) fail("the file ends within a block");
  const bool begins_section = read_u32(head, 0) == pcapng::kSectionHeader;
  if (begins_section) {
    if (std::fread(head + kHeadSize, 1, 4, file_.get()) < 4) fail("the file ends within a block");
    is_big_endian_ = read_u32(head, kHeadSize) == pcapng::kByteOrderMagic;
    if (!is_big_endian_ && read_little32(head, kHeadSize) != pcapng::kByteOrderMagic)
      fail("a section has no byte-order magic");
  }
  type_ = number32(head, 0);
  const std::uint32_t length = number32(head, 4);
  const std::size_t read = begins_section ? kHeadSize + 4 : kHeadSize;
  if (length < read + kTailSize || length % 4 != 0 || length > kLongest)
    fail(fmt::format("a block has the length {}", length));
  body_.assign(head + kHeadSize, head + read);
  read_body(length);
  return true;
}

void PcapngReader::read_body(std::uint32_t length) {
  const std::size_t known = body_.size();
  body_.resize(length - kHeadSize);
  if (std::fread(body_.data() + known, 1, body_.size() - known, file_.get()) < body_.size() - known)
    fail("the file ends within a block");
  if (number32(body_, body_.size() - kTailSize) != length)
    fail("the two lengths of a block differ");
  body_.resize(body_.size() - kTailSize);
}

// Section 4.1: magic, major and minor version (2 bytes each), the section's length (8).
void PcapngReader::begin_section() {
  need(16);
  if (const std::uint16_t version = number16(body_, 4); version != 1)
    fail(fmt::format("its version is {}, and only 1 is known", version));
  interfaces_.clear();
}

// Section 4.2: link type, reserved (2 bytes each), snap length (4), options.
void PcapngReader::add_interface() {
  need(8);
  Interface interface { .link = LinkType{number16(body_, 0)}, .snap_length = number32(body_, 4) };
  const Bytes body = body_;
  for (std::size_t at = 8; at + 4 <= body.size();) {
    const std::uint16_t code = number16(body, at);
    const std::size_t size = number16(body, at + 2);
    if (code == pcapng::kEndOfOptions) break;
    if (at + 4 + size > body.size()) fail("an option is longer than its block");
    take_option(interface, code, slice(body, at + 4, size));
    at += 4 + (size + 3) / 4 * 4;
  }
  interfaces_.push_back(interface);
}

void PcapngReader::take_option(Interface& interface, std::uint16_t code, Bytes value) const {
  if (code == pcapng::kTimeStampResolution && !value.empty()) interface.units = units_of(value[0]);
  if (code == pcapng::kTimeStampOffset && value.size() >= 8)
    interface.offset = static_cast<std::int64_t>(number64(value, 0));
}

std::optional<PcapngReader::Packet> PcapngReader::packet() const {
  switch (type_) {
    case pcapng::kEnhancedPacket:
      return enhanced_packet();
    case pcapng::kSimplePacket:
      return simple_packet();
    case pcapng::kOldPacket:
      return old_packet();
    default:
      return std::nullopt;
  }
}

// Section 4.3: interface, timestamp (high, low), captured and original length (4 bytes each), data.
PcapngReader::Packet PcapngReader::enhanced_packet() const {
  need(20);
  return {.interface = number32(body_, 0),
          .timestamp = std::uint64_t{number32(body_, 4)} << 32 | number32(body_, 8),
          .captured = number32(body_, 12),
          .length = number32(body_, 16),
          .data = 20};
}

// Section 4.4: original length, data. The snap length is that of the first interface.
PcapngReader::Packet PcapngReader::simple_packet() const {
  need(4);
  const std::uint32_t length = number32(body_, 0);
  const std::uint32_t snap =
      interfaces_.empty() || interfaces_[0].snap_length == 0 ? length : interfaces_[0].snap_length;
  return {.captured = std::min(length, snap), .length = length, .data = 4};
}

// The obsolete packet block: interface, drops (2 bytes each), then as in an enhanced one.
PcapngReader::Packet PcapngReader::old_packet() const {
  Packet packet = enhanced_packet();
  packet.interface = number16(body_, 0);
  return packet;
}

CapturedFrame PcapngReader::frame_of(const Packet& packet) const {
  if (packet.interface >= interfaces_.size())
    fail(fmt::format("a frame is of interface {}, which the file does not describe",
                     packet.interface));
  if (packet.captured > body_.size() - packet.data) fail("a frame is longer than its block");
  const Interface& interface = interfaces_[packet.interface];
  return {.at = nanoseconds_of(packet.timestamp, interface.units, interface.offset),
          .bytes = slice(body_, packet.data, packet.captured),
          .length = std::max(packet.length, packet.captured),
          .link = interface.link};
}

std::uint16_t PcapngReader::number16(Bytes bytes, std::size_t at) const {
  const std::uint16_t number = read_u16(bytes, at);
  return is_big_endian_ ? number : __builtin_bswap16(number);
}

std::uint32_t PcapngReader::number32(Bytes bytes, std::size_t at) const {
  return is_big_endian_ ? read_u32(bytes, at) : read_little32(bytes, at);
}

std::uint64_t PcapngReader::number64(Bytes bytes, std::size_t at) const {
  const std::uint64_t first = number32(bytes, at);
  const std::uint64_t second = number32(bytes, at + 4);
  return is_big_endian_ ? first << 32 | second : second << 32 | first;
}

void PcapngReader::need(std::size_t size) const {
  if (body_.size() < size) fail(fmt::format("a block of type {} is too short", type_));
}

}  // namespace tcplab::capture
