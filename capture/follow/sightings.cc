#include "capture/follow/sightings.hh"

#include <cstdlib>
#include <functional>
#include <string_view>

namespace tcplab::capture {

namespace {

constexpr std::int64_t kAnyhow = 100'000'000;
constexpr std::int64_t kTellable = 2'000'000'000;
// Nothing but the time tells it from what duplicate acknowledgments made its sender send again.
constexpr std::int64_t kAtOnce = 1'000'000;

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
}

std::uint64_t hash_of(const std::uint8_t* octets, std::size_t size) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(octets), size});
}

// All that a router leaves as it is.
std::uint64_t header_of(const DecodedFrame& frame) {
  const IpHeader& ip = *frame.ip;
  const TcpSegment& tcp = *frame.tcp;
  std::uint64_t hash = hash_of(ip.source.bytes.data(), ip.source.size());
  mix(hash, hash_of(ip.destination.bytes.data(), ip.destination.size()));
  for (const std::uint64_t value :
       {std::uint64_t{ip.identification}, std::uint64_t{tcp.source_port},
        std::uint64_t{tcp.destination_port}, std::uint64_t{tcp.sequence},
        std::uint64_t{tcp.acknowledgment}, std::uint64_t{tcp.flags}, std::uint64_t{tcp.window},
        std::uint64_t{tcp.length}, std::uint64_t{tcp.options.sack_count}})
    mix(hash, value);
  for (std::size_t i = 0; i < tcp.options.sack_count; ++i)
    mix(hash, tcp.options.sack_blocks.at(i).begin ^ (tcp.options.sack_blocks.at(i).end * 31U));
  if (tcp.options.timestamps) mix(hash, tcp.options.timestamps->value);
  return hash;
}

}  // namespace

std::int64_t longest_sighting(const DecodedFrame& frame) {
  if (!frame.tcp || !frame.ip) return kAnyhow;
  return frame.tcp->options.timestamps || frame.ip->identification != 0 ? kTellable : kAnyhow;
}

namespace {

/// An identification alone may be the same in all packets of a host; a timestamp moves on.
std::int64_t longest_copy(const DecodedFrame& frame) {
  if (frame.tcp->options.timestamps) return kTellable;
  return frame.ip->identification != 0 ? kAnyhow : kAtOnce;
}

}  // namespace

Sighting Sightings::note(const DecodedFrame& frame, std::int64_t at) {
  const std::uint64_t header = header_of(frame);
  const std::uint64_t payload = hash_of(frame.tcp->payload.data(), frame.tcp->payload.size());
  const std::uint8_t hop_limit = frame.ip->hop_limit;
  for (Seen& seen : seen_) {
    if (!seen.is_used || seen.header != header) continue;
    // Of captures that were put together, the later one may come first.
    const std::int64_t apart = std::abs(at - seen.at);
    const bool is_lower = hop_limit < seen.hop_limit;
    if (apart > (is_lower ? longest_sighting(frame) : longest_copy(frame))) continue;
    if (is_lower) seen.hop_limit = hop_limit;
    if (payload != seen.payload) return Sighting::altered;
    return is_lower ? Sighting::farther : Sighting::copy;
  }
  seen_.at(next_++ % seen_.size()) = {header, payload, hop_limit, at, true};
  return Sighting::first;
}

}  // namespace tcplab::capture
