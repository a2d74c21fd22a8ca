// The numbers that plots of a connection show: sequence numbers, acknowledgments, windows, bytes in
// flight, round trips, and how the kernel sends. From events alone, so that a capture is enough.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::plots {

using capture::Instant;
using capture::nanoseconds;

/// What a segment is for its sender.
enum class SegmentKind : std::uint8_t { first, again, probe };

/// A segment that occupies sequence space, or a probe, when it was sent. Sequence numbers are
/// relative: a SYN is 0.
struct SentSegment {
  std::uint64_t event = 0;
  Instant at{};
  std::int64_t begin = 0;
  std::int64_t end = 0;
  SegmentKind kind = SegmentKind::first;
  bool is_lost = false;
};

/// An acknowledgment, when the sender of the data received it.
struct Acknowledged {
  std::uint64_t event = 0;
  Instant at{};
  std::int64_t number = 0;
  std::int64_t edge = 0;  // the acknowledgment plus the scaled window (RFC 9293 section 3.8.6)
  std::vector<std::pair<std::int64_t, std::int64_t>> sack{};
};

/// A number at a time.
struct Measure {
  std::uint64_t event = 0;
  Instant at{};
  std::int64_t value = 0;
};

/// What the sender's kernel reported. Bytes; 0 if it is not known.
struct KernelMeasure {
  std::uint64_t event = 0;
  Instant at{};
  std::int64_t cwnd = 0;
  std::int64_t ssthresh = 0;  // 0 before the first loss
  std::int64_t window = 0;
  nanoseconds srtt{};
  nanoseconds rto{};
};

/// One direction of a connection, from the sender's point of view.
struct FlowPlot {
  std::string from;  // hosts; empty in a capture
  std::string to;
  capture::Endpoint source;
  capture::Endpoint destination;
  std::vector<SentSegment> segments{};
  std::vector<Acknowledged> acknowledgments{};
  std::vector<Measure> flight{};       // bytes sent and not acknowledged
  std::vector<Measure> round_trips{};  // nanoseconds; by Karn's algorithm, RFC 6298 section 3
  std::vector<KernelMeasure> kernel{};
  bool has_data = false;

  /// Returns whether a plot shows more than an empty connection: data, or a retransmitted SYN.
  bool is_worth_showing() const;
};

class PlotGatherer {
public:
  /// Takes the events of a run or a capture, in their order.
  void event(const capture::Event& event);
  /// Returns the flows that are worth showing, in the order in which they began.
  std::vector<FlowPlot> take();

private:
  struct Timed {
    std::int64_t end = 0;
    Instant sent{};
    bool is_ambiguous = false;  // it was retransmitted: an acknowledgment can be for either
  };
  struct Flow {
    FlowPlot plot{};
    capture::SequenceTracker tracker{capture::Vantage::sender};
    std::optional<std::uint32_t> initial{};
    std::int64_t highest = 0;  // sequence number after the last one sent, relative
    std::int64_t acknowledged = 0;
    std::uint8_t window_scale = 0;  // of the windows that it announces
    bool has_scale = false;
    std::vector<Timed> awaited{};
    std::size_t order = 0;
  };

  void see(const capture::Event& event, const capture::Packet& packet);
  void see(const capture::Event& event, const capture::Sending& sending);
  Flow& flow_of(const capture::FlowKey& key);
  static void send(Flow& flow, const capture::Event& event, const capture::Packet& packet);
  static void time_segment(Flow& flow, const SentSegment& segment);
  static void acknowledge(Flow& flow, const Flow& receiver, const capture::Event& event,
                          const capture::Packet& packet);
  static void measure(Flow& flow, std::uint64_t event, Instant at, std::int64_t number);

  std::map<capture::FlowKey, Flow> flows_;
  Flow beyond_;                       // stands for flows beyond the limit; never shown
  std::set<std::uint64_t> departed_;  // frames that were held or delayed: their sending is known
};

}  // namespace tcplab::plots
