#include "reports/plots/flow_plot.hh"

#include <algorithm>

namespace tcplab::plots {

using capture::Event;
using capture::Fate;
using capture::Packet;
using capture::SegmentHeader;
using capture::SegmentTrait;
using capture::SegmentTraits;

namespace {

constexpr std::size_t kMostFlows = 512;             // a port scan makes more; nobody plots them
constexpr std::size_t kMostPoints = 20'000;         // of each kind in a flow
constexpr std::size_t kMostAwaited = 4096;          // segments without an acknowledgment
constexpr std::uint32_t kNoThreshold = 0x7fffffff;  // TCP_INFINITE_SSTHRESH, include/net/tcp.h

/// Returns the number relative to the initial one. `near` is a relative number that is less than
/// 2^31 away, so that a flow of more than 4 GB goes on.
std::int64_t relative(std::uint32_t number, std::uint32_t initial, std::int64_t near) {
  const std::uint32_t near_number = initial + static_cast<std::uint32_t>(near);
  return near + static_cast<std::int32_t>(number - near_number);
}

SegmentKind kind_of(const SegmentTraits& traits) {
  if (traits.is_probe()) return SegmentKind::probe;
  const bool is_again =
      traits.has(SegmentTrait::retransmission) || traits.has(SegmentTrait::partial_retransmission);
  return is_again ? SegmentKind::again : SegmentKind::first;
}

template <typename Point>
void add(std::vector<Point>& points, Point point) {
  if (points.size() < kMostPoints) points.push_back(std::move(point));
}

}  // namespace

bool FlowPlot::is_worth_showing() const {
  const auto syns = std::ranges::count_if(
      segments, [](const SentSegment& segment) { return segment.begin == 0; });
  return has_data || syns > 1;
}

void PlotGatherer::event(const Event& event) {
  if (const auto* packet = std::get_if<Packet>(&event.body)) see(event, *packet);
  if (const auto* sending = std::get_if<capture::Sending>(&event.body)) see(event, *sending);
}

PlotGatherer::Flow& PlotGatherer::flow_of(const capture::FlowKey& key) {
  if (const auto found = flows_.find(key); found != flows_.end()) return found->second;
  if (flows_.size() >= kMostFlows) return beyond_ = Flow{};
  Flow& flow = flows_[key];
  flow.plot.source = key.source;
  flow.plot.destination = key.destination;
  flow.order = flows_.size();
  return flow;
}

void PlotGatherer::see(const Event& event, const Packet& packet) {
  if (packet.protocol != "TCP" || packet.fate == Fate::forged) return;
  const capture::FlowKey key{packet.source, packet.destination};
  Flow& flow = flow_of(key);
  if (flow.plot.segments.empty() && flow.plot.from.empty()) {
    flow.plot.from = packet.from;
    flow.plot.to = packet.to;
  }
  const bool has_left = departed_.erase(packet.frame) != 0;
  // Other hosts only forward it.
  if (packet.from == flow.plot.from && !has_left && !capture::is_copy(packet))
    send(flow, event, packet);
  if (packet.fate == Fate::held || packet.fate == Fate::delayed) departed_.insert(packet.frame);
  if (packet.fate != Fate::delivered || capture::is_altered(packet)) return;
  Flow& other = flow_of(key.reversed());
  if (packet.to == other.plot.from) acknowledge(other, flow, event, packet);
}

void PlotGatherer::send(Flow& flow, const Event& event, const Packet& packet) {
  const SegmentHeader header = capture::header_of(packet);
  if (header.syn) {
    flow.window_scale = packet.window_scale.value_or(0);
    flow.has_scale = packet.window_scale.has_value();
    if (flow.initial != header.sequence) {
      flow.initial = header.sequence;
      flow.highest = flow.acknowledged = 0;
    }
  }
  if (!flow.initial) {
    if (header.rst) return;
    flow.initial = header.sequence - 1;
    flow.highest = flow.acknowledged = 1;
  }
  const SegmentTraits traits = flow.tracker.send(header);
  if (header.rst || (header.occupied() == 0 && !traits.is_probe())) return;
  SentSegment segment{.event = event.number,
                      .at = packet.sent,
                      .begin = relative(header.sequence, *flow.initial, flow.highest),
                      .kind = kind_of(traits),
                      .is_lost = packet.fate == Fate::lost};
  segment.end = segment.begin + header.occupied();
  time_segment(flow, segment);
  if (header.length > 0 && segment.kind != SegmentKind::probe) flow.plot.has_data = true;
  add(flow.plot.segments, segment);
  flow.highest = std::max(flow.highest, segment.end);
  add(flow.plot.flight, {event.number, packet.sent, flow.highest - flow.acknowledged});
}

void PlotGatherer::time_segment(Flow& flow, const SentSegment& segment) {
  if (segment.kind == SegmentKind::first && flow.awaited.size() < kMostAwaited) {
    flow.awaited.push_back({segment.end, segment.at, false});
    return;
  }
  for (Timed& timed : flow.awaited)
    if (timed.end > segment.begin) timed.is_ambiguous = true;
}

void PlotGatherer::acknowledge(Flow& flow, const Flow& receiver, const Event& event,
                               const Packet& packet) {
  const SegmentHeader header = capture::header_of(packet);
  flow.tracker.receive(header);
  if (!flow.initial || !header.ack || header.rst) return;
  const std::int64_t number = relative(header.acknowledgment, *flow.initial, flow.highest);
  const Instant at = packet.delivered.value_or(event.at);
  const bool is_scaled = !header.syn && receiver.has_scale && flow.has_scale;
  Acknowledged point{
      .event = event.number,
      .at = at,
      .number = number,
      .edge = number + (std::int64_t{packet.window} << (is_scaled ? receiver.window_scale : 0))};
  for (const capture::SackRange& range : packet.sack)
    point.sack.emplace_back(relative(range.begin, *flow.initial, flow.highest),
                            relative(range.end, *flow.initial, flow.highest));
  add(flow.plot.acknowledgments, std::move(point));
  if (number <= flow.acknowledged) return;
  measure(flow, event.number, at, number);
  flow.acknowledged = number;
  add(flow.plot.flight, {event.number, at, std::max<std::int64_t>(0, flow.highest - number)});
}

/// Adds the round trip of the newest segment that this acknowledges.
void PlotGatherer::measure(Flow& flow, std::uint64_t event, Instant at, std::int64_t number) {
  const Timed* newest = nullptr;
  for (const Timed& timed : flow.awaited)
    if (timed.end <= number) newest = &timed;
  if (newest != nullptr && !newest->is_ambiguous)
    add(flow.plot.round_trips, {event, at, (at - newest->sent).count()});
  std::erase_if(flow.awaited, [number](const Timed& timed) { return timed.end <= number; });
}

void PlotGatherer::see(const Event& event, const capture::Sending& sending) {
  Flow& flow = flow_of({sending.local, sending.remote});
  const capture::SendingInfo& info = sending.info;
  const std::int64_t mss = info.mss;
  add(flow.plot.kernel, {.event = event.number,
                         .at = event.at,
                         .cwnd = info.cwnd * mss,
                         .ssthresh = info.ssthresh >= kNoThreshold ? 0 : info.ssthresh * mss,
                         .window = info.window,
                         .srtt = info.rtt,
                         .rto = info.rto});
}

std::vector<FlowPlot> PlotGatherer::take() {
  std::vector<Flow*> flows;
  for (auto& [key, flow] : flows_)
    if (flow.plot.is_worth_showing()) flows.push_back(&flow);
  std::ranges::sort(flows, {}, &Flow::order);
  std::vector<FlowPlot> plots;
  plots.reserve(flows.size());
  for (Flow* flow : flows) plots.push_back(std::move(flow->plot));
  return plots;
}

}  // namespace tcplab::plots
