// Finds packets that a capture has more than once: captured at several interfaces, forwarded by a
// router, copied by the path, or captured before and after damage. None of them is a
// retransmission, which is a new packet. Pure; remembers the last packets only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"

namespace tcplab::capture {

enum class Duplicate : std::uint8_t {
  none,             // a new packet
  other_interface,  // the same frame at another interface of a capture that has several
  recaptured,       // the capture has most of the connection twice, as of a bridge or `-i any`
  forwarded,        // with a lower hop limit: a router has forwarded it (RFC 1812 section 5.3.1)
  copied,           // the same packet in a connection that is captured once: the path copied it
  altered,          // the same packet with other data
};

/// How a capture was taken.
enum class Interfaces : std::uint8_t { one, several };

class DuplicateDetector {
public:
  explicit DuplicateDetector(Interfaces interfaces) : interfaces_(interfaces) {}

  /// Remembers at least this number of connections: those of the latest packets.
  void remember(std::size_t connections) { most_counted_ = std::max(kFewest, connections); }
  /// Notes the next frame of the capture. `at` is in nanoseconds since 1970.
  Duplicate note(const DecodedFrame& frame, std::int64_t at);

private:
  /// A frame, octet by octet.
  struct Frame {
    std::size_t hash = 0;
    std::size_t size = 0;
    std::int64_t at = 0;
    bool is_paired = true;
  };
  /// The fields of a TCP packet that a router does not change. They are compared and not hashed:
  /// the segments of one transfer differ in few bits, and a weak hash takes two for one.
  struct Header {
    std::uint32_t sequence = 0;  // first, for it differs most often
    std::uint32_t identification = 0;
    std::uint32_t acknowledgment = 0;
    std::uint16_t flags = 0;
    std::uint16_t window = 0;
    std::size_t length = 0;
    std::optional<std::uint32_t> timestamp;
    std::uint8_t sack_count = 0;
    std::array<SackBlock, 4> sack_blocks{};
    FlowKey flow;

    bool operator==(const Header&) const = default;
  };
  struct Packet {
    Header header;
    std::optional<std::uint64_t> payload{};  // its hash, if all of it was captured
    std::uint64_t link = 0;                  // the hash of the Ethernet addresses
    std::uint8_t hop_limit = 0;
    std::int64_t at = 0;
    bool is_used = false;
    std::uint32_t answers = 0;  // frames of the other direction before it
  };
  enum class Sameness : std::uint8_t { is_new, lower_hop_limit, same, other_link, other_data };
  /// How many packets of a connection were new, and how many were there already.
  struct Count {
    std::uint32_t unique = 0;
    std::uint32_t same = 0;
    std::array<std::uint32_t, 2> frames = {0, 0};  // of each direction, the smaller flow key first
  };

  static Header header_of(const DecodedFrame& frame);
  Count& count_of(const FlowKey& flow);
  bool is_at_other_interface(const DecodedFrame& frame, std::int64_t at);
  static std::uint32_t hash_of_header(const Header& header);
  Sameness compare(const DecodedFrame& frame, const Header& header, std::int64_t at, Count& count);
  static Duplicate judge(const DecodedFrame& frame, bool is_same, Count& count);

  Interfaces interfaces_;
  std::array<Frame, 64> frames_{};
  std::size_t next_frame_ = 0;
  std::array<Packet, 128> packets_{};
  std::array<std::uint32_t, 128> hashes_{};  // of their headers
  std::size_t next_packet_ = 0;

  using Counts = std::unordered_map<FlowKey, Count, FlowKeyHash>;
  static constexpr std::size_t kFewest = 4096;
  std::size_t most_counted_ = kFewest;
  Counts counts_;
  Counts earlier_;  // what counts_ was when it was full: its connections may go on
};

}  // namespace tcplab::capture
