#include "lab/programs/frame_states.hh"

#include "capture/event/describe.hh"

namespace tcplab::lab {

std::vector<std::pair<ConnectionKey, capture::TcpState>> FrameStates::note(
    const capture::DecodedFrame& frame, bool is_sent, base::Instant at) {
  const auto flow = capture::flow_of(frame);
  if (!flow) return {};
  const ConnectionKey key = is_sent ? ConnectionKey{flow->source, flow->destination}
                                    : ConnectionKey{flow->destination, flow->source};
  const std::int64_t when = base::to_nanoseconds(at);
  auto found = conversations_.find(key);
  const bool is_syn =
      frame.tcp->has(capture::TcpFlags::kSyn) && !frame.tcp->has(capture::TcpFlags::kAck);
  // RFC 9293 section 3.6.1: a new SYN begins a new connection of the same two endpoints.
  if (found != conversations_.end() && is_syn && found->second.states().is_over()) {
    conversations_.erase(found);
    found = conversations_.end();
  }
  if (found == conversations_.end()) {
    // Only a handshake begins one: a stack answers a stray segment without a connection.
    if (!is_syn) return {};
    if (conversations_.size() >= kMost)
      std::erase_if(conversations_,
                    [](const auto& each) { return each.second.states().is_over(); });
    if (conversations_.size() >= kMost) return {};
    found = conversations_.emplace(key, capture::Conversation(*flow, when)).first;
  }
  capture::Conversation& talk = found->second;
  const std::size_t own = talk.end(0).address == key.local ? 0 : 1;
  std::vector<std::pair<ConnectionKey, capture::TcpState>> shown;
  for (const capture::StateChange& change : talk.note(frame, when).changes)
    if (change.end == own) shown.emplace_back(key, change.to);
  return shown;
}

}  // namespace tcplab::lab
