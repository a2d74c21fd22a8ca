#include "capture/follow/connection_numbers.hh"

#include <algorithm>

#include "capture/event/describe.hh"

namespace tcplab::capture {

namespace {

// As in describe.cc: a flood of SYNs must not take all memory.
constexpr std::size_t kMostNumbered = 100'000;

}  // namespace

SegmentTraits ConnectionNumbers::classify(const DecodedFrame& frame) const {
  const auto connection = flow_of(frame);
  if (!connection) return {};
  const auto known = ends_.find(*connection);
  const SegmentHeader segment = header_of(*frame.tcp);
  return known == ends_.end() ? SequenceTracker(Vantage::sender).classify(segment)
                              : known->second.tracker.classify(segment);
}

void ConnectionNumbers::sent(const DecodedFrame& frame) {
  const auto connection = flow_of(frame);
  if (!connection || !frame.ethernet || frame.tcp->has(TcpFlags::kRst)) return;
  if (ends_.size() >= kMostNumbered) ends_.clear();
  const SegmentHeader segment = header_of(*frame.tcp);
  End& end = ends_[*connection];
  if (end.tracker.begins_connection(segment)) end.numbers.begun = ++count_;
  end.tracker.send(segment);
  end.numbers.mac = frame.ethernet->source;
  end.numbers.next_hop = frame.ethernet->destination;
  static_cast<SequenceVariables&>(end.numbers) = end.tracker.variables();
}

void ConnectionNumbers::delivered(const DecodedFrame& frame) {
  const auto connection = flow_of(frame);
  if (!connection) return;
  const auto found = ends_.find(connection->reversed());
  if (found == ends_.end()) return;
  // IP drops a packet that was cut short on its way.
  if (frame.tcp->payload.size() < frame.tcp->length) return;
  End& end = found->second;
  end.tracker.receive(header_of(*frame.tcp));
  static_cast<SequenceVariables&>(end.numbers) = end.tracker.variables();
}

const EndNumbers* ConnectionNumbers::find(const FlowKey& key) const {
  const auto found = ends_.find(key);
  return found == ends_.end() ? nullptr : &found->second.numbers;
}

std::optional<FlowKey> ConnectionNumbers::newest() const {
  const auto found = std::ranges::max_element(
      ends_, {}, [](const auto& entry) { return entry.second.numbers.begun; });
  if (found == ends_.end()) return std::nullopt;
  return found->first;
}

}  // namespace tcplab::capture
