#include "capture/follow/duplicate_detector.hh"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>

namespace tcplab::capture {

namespace {

// How long after a packet an identical one may be the same packet, in nanoseconds. If packets have
// a timestamp (RFC 7323) or an identification, a retransmission has another one.
constexpr std::int64_t kDistinct = 2'000'000'000;
constexpr std::int64_t kIndistinct = 100'000'000;
// Without both, only the time distinguishes a copy from a fast retransmission.
constexpr std::int64_t kSameFrame = 1'000'000;

std::uint64_t hash_of(Bytes octets) {
  return std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(octets.data()), octets.size()});
}

/// Returns a hash of the Ethernet addresses; 0 without any. A packet that has other addresses, and
/// the hop limit that it had, was captured again on another link: no sender sends it so.
std::uint64_t link_of(const DecodedFrame& frame) {
  if (!frame.ethernet) return 0;
  return hash_of(frame.ethernet->source) * 31 + hash_of(frame.ethernet->destination);
}

std::int64_t longest_apart(const DecodedFrame& frame) {
  if (!frame.tcp || !frame.ip) return kIndistinct;
  const bool is_distinct = frame.tcp->options.timestamps || frame.ip->identification != 0;
  return is_distinct ? kDistinct : kIndistinct;
}

/// A host may give all its packets one identification; a timestamp advances.
std::int64_t longest_copy(const DecodedFrame& frame) {
  if (frame.tcp->options.timestamps) return kDistinct;
  return frame.ip->identification != 0 ? kIndistinct : kSameFrame;
}

}  // namespace

Duplicate DuplicateDetector::note(const DecodedFrame& frame, std::int64_t at) {
  if (interfaces_ == Interfaces::several && is_at_other_interface(frame, at))
    return Duplicate::other_interface;
  if (!frame.tcp || !frame.ip) return Duplicate::none;
  const Header header = header_of(frame);
  Count& count = count_of(header.flow);
  switch (compare(frame, header, at, count)) {
    case Sameness::is_new:
      return judge(frame, false, count);
    case Sameness::lower_hop_limit:
      return Duplicate::forwarded;
    case Sameness::other_link:
      judge(frame, true, count);
      return Duplicate::recaptured;
    case Sameness::same:
      return judge(frame, true, count);
    case Sameness::other_data:
      judge(frame, false, count);
      return Duplicate::altered;
  }
  return Duplicate::none;
}

/// Pairs each frame with one earlier frame at most: a frame that was sent twice is two frames, and
/// each of them is captured twice.
bool DuplicateDetector::is_at_other_interface(const DecodedFrame& frame, std::int64_t at) {
  // The interfaces may have different link types, and so other headers before the packet.
  const bool has_packet = frame.ip && !frame.ip->packet.empty();
  const Bytes octets = has_packet ? frame.ip->packet : frame.bytes;
  const std::size_t hash = hash_of(octets);
  for (Frame& seen : frames_) {
    if (seen.is_paired || seen.hash != hash || seen.size != octets.size()) continue;
    seen.is_paired = true;
    if (at - seen.at < longest_apart(frame)) return true;
  }
  frames_[next_frame_++ % frames_.size()] = {hash, octets.size(), at, false};
  return false;
}

DuplicateDetector::Header DuplicateDetector::header_of(const DecodedFrame& frame) {
  const IpHeader& ip = *frame.ip;
  const TcpSegment& tcp = *frame.tcp;
  Header header{.sequence = tcp.sequence,
                .identification = ip.identification,
                .acknowledgment = tcp.acknowledgment,
                .flags = tcp.flags,
                .window = tcp.window,
                .length = tcp.length,
                .sack_count = tcp.options.sack_count,
                .sack_blocks = tcp.options.sack_blocks,
                .flow = {{ip.source, tcp.source_port}, {ip.destination, tcp.destination_port}}};
  if (tcp.options.timestamps) header.timestamp = tcp.options.timestamps->value;
  return header;
}

/// Packets with other hashes have other headers.
std::uint32_t DuplicateDetector::hash_of_header(const Header& header) {
  const std::uint32_t ports =
      std::uint32_t{header.flow.source.port} << 16U | std::uint32_t{header.flow.destination.port};
  const std::uint32_t numbers = header.sequence * 0x9e3779b1U + header.acknowledgment;
  return (numbers ^ ports) * 0x85ebca6bU + header.identification * 0xc2b2ae35U + header.flags;
}

DuplicateDetector::Sameness DuplicateDetector::compare(const DecodedFrame& frame,
                                                       const Header& header, std::int64_t at,
                                                       Count& count) {
  const bool is_whole = frame.tcp->payload.size() >= frame.tcp->length;
  const auto payload = is_whole ? std::optional(hash_of(frame.tcp->payload)) : std::nullopt;
  const std::uint64_t link = link_of(frame);
  const std::uint8_t hop_limit = frame.ip->hop_limit;
  const std::size_t direction = header.flow < header.flow.reversed() ? 0 : 1;
  const std::uint32_t answers = count.frames.at(1 - direction);
  ++count.frames.at(direction);
  const std::uint32_t hash = hash_of_header(header);
  for (std::size_t place = 0; place < packets_.size(); ++place) {
    if (hashes_[place] != hash) continue;
    Packet& seen = packets_[place];
    if (!seen.is_used || seen.header != header) continue;
    // If captures were concatenated, the later packet may come first.
    const std::int64_t apart = std::abs(at - seen.at);
    const bool is_lower = hop_limit < seen.hop_limit;
    if (apart > (is_lower ? longest_apart(frame) : longest_copy(frame))) continue;
    // Without an identification (IPv6), a fast retransmission in the millisecond of its original
    // has the same timestamp. Unlike a copy, it comes after the peer's duplicate ACKs.
    if (!is_lower && frame.ip->identification == 0 && answers != seen.answers) continue;
    if (is_lower) seen.hop_limit = hop_limit;
    if (payload && seen.payload && payload != seen.payload) return Sameness::other_data;
    if (is_lower) return Sameness::lower_hop_limit;
    return link == seen.link ? Sameness::same : Sameness::other_link;
  }
  const std::size_t place = next_packet_++ % packets_.size();
  hashes_.at(place) = hash;
  packets_.at(place) = {header, payload, link, hop_limit, at, true, answers};
  return Sameness::is_new;
}

DuplicateDetector::Count& DuplicateDetector::count_of(const FlowKey& flow) {
  const FlowKey pair = std::min(flow, flow.reversed());
  if (const auto known = counts_.find(pair); known != counts_.end()) return known->second;
  if (counts_.size() >= most_counted_) earlier_ = std::exchange(counts_, {});
  const auto before = earlier_.find(pair);
  return counts_[pair] = before == earlier_.end() ? Count{} : before->second;
}

/// If at least half of a connection's packets are there twice, the capture has it twice. Otherwise
/// the path has copied a packet.
Duplicate DuplicateDetector::judge(const DecodedFrame& frame, bool is_same, Count& count) {
  const TcpSegment& tcp = *frame.tcp;
  // Duplicate acknowledgments (RFC 5681 section 2) are identical, but each is a new packet.
  const bool is_distinct = frame.ip->identification != 0 || tcp.length > 1 ||
                           tcp.has(TcpFlags::kSyn) || tcp.has(TcpFlags::kFin);
  if (is_distinct) ++(is_same ? count.same : count.unique);
  if (!is_same) return Duplicate::none;
  if (count.same > 0 && count.same * 2 >= count.unique) return Duplicate::recaptured;
  return is_distinct ? Duplicate::copied : Duplicate::none;
}

}  // namespace tcplab::capture
