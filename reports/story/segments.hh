// Labels a frame's arrow: flags, relative sequence numbers, length, and what the segment is for.
// Numbers the connections of a run.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "capture/follow/packet_tracker.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct SegmentText {
  std::vector<std::string> labels;  // the longest first; the caller takes the first that fits
  Paint paint = Paint::plain;
};

class Segments {
public:
  SegmentText describe(const capture::Packet& packet);

  /// The packet of that frame has been classified already.
  void expect(std::uint64_t frame, capture::SegmentTraits traits) {
    tracker_.expect(frame, traits);
  }

  /// Returns the connection's number. Connections count from 1 in the order they appear.
  int connection_number(const capture::Endpoint& one, const capture::Endpoint& other);

private:
  using Key = std::pair<capture::Endpoint, capture::Endpoint>;  // the smaller one first

  capture::PacketTracker tracker_;
  std::map<Key, int> numbers_;
  std::deque<Key> oldest_;  // the order in which connections are forgotten
  int count_ = 0;
};

}  // namespace tcplab::reports
