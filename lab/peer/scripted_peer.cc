#include "lab/peer/scripted_peer.hh"

#include <algorithm>
#include <utility>

namespace tcplab::lab {

namespace {

using capture::TcpFlags;

constexpr std::size_t kMostUnclaimed = 1000;
constexpr std::uint32_t kIssStep = 1'000'000;  // between the initial numbers of its connections

/// The ends of an arrived segment, as of the connection that it belongs to.
capture::FlowKey flow_at_peer(const capture::DecodedFrame& frame) {
  return {{frame.ip->destination, frame.tcp->destination_port},
          {frame.ip->source, frame.tcp->source_port}};
}

}  // namespace

std::shared_ptr<PeerConnection> ScriptedPeer::open(const capture::FlowKey& flow,
                                                   const ForgedLink& link,
                                                   std::optional<std::uint32_t> iss) {
  next_iss_ += kIssStep;
  auto made = std::make_shared<PeerConnection>(flow, link, iss.value_or(next_iss_));
  connections_[flow] = made;
  for (auto each = unclaimed_.begin(); each != unclaimed_.end();) {
    if (flow_at_peer(each->decoded()) != flow) {
      ++each;
      continue;
    }
    made->arrived(std::move(*each));
    each = unclaimed_.erase(each);
  }
  return made;
}

std::shared_ptr<PeerConnection> ScriptedPeer::take_syn(std::uint16_t port,
                                                       std::optional<std::uint32_t> iss) {
  const auto found = std::ranges::find_if(unclaimed_, [port](const ArrivedSegment& each) {
    return each.decoded().tcp->destination_port == port;
  });
  if (found == unclaimed_.end()) return nullptr;
  const capture::DecodedFrame frame = found->decoded();
  const ForgedLink link{.from = {frame.ethernet->destination}, .to = {frame.ethernet->source}};
  return open(flow_at_peer(frame), link, iss);
}

std::optional<std::vector<std::uint8_t>> ScriptedPeer::delivered(std::uint64_t frame,
                                                                 netns::Bytes bytes,
                                                                 base::Instant at) {
  ArrivedSegment segment{.frame = frame, .at = at, .bytes = {bytes.begin(), bytes.end()}};
  const capture::DecodedFrame decoded = segment.decoded();
  if (!decoded.tcp || !decoded.ip || !decoded.ethernet) return std::nullopt;
  const capture::FlowKey flow = flow_at_peer(decoded);
  if (const auto found = connections_.find(flow); found != connections_.end()) {
    const auto answer = found->second->arrived(std::move(segment));
    return answer ? std::optional(forge(*answer)) : std::nullopt;
  }
  const bool is_syn = decoded.tcp->has(TcpFlags::kSyn) && !decoded.tcp->has(TcpFlags::kAck);
  const bool follows_syn = std::ranges::any_of(
      unclaimed_, [&](const ArrivedSegment& each) { return flow_at_peer(each.decoded()) == flow; });
  if ((is_syn || follows_syn) && unclaimed_.size() < kMostUnclaimed)
    unclaimed_.push_back(std::move(segment));
  return std::nullopt;
}

void ScriptedPeer::forget_all() {
  connections_.clear();
  unclaimed_.clear();
}

}  // namespace tcplab::lab
