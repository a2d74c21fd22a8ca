// Explains a capture in words: a table of its connections, and for each what happened, which
// scenario it looks like, and its ladder. Reads frame by frame; memory is bounded whatever the
// capture's size.
#pragma once

#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/describe.hh"
#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "capture/follow/duplicate_detector.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct CaptureStoryOptions {
  std::optional<std::size_t> only;  // the number of one connection, from 1
  std::size_t most = 10;            // connections to explain in full
  capture::Interfaces interfaces = capture::Interfaces::one;  // of the capture
  /// Returns true if the catalogue has a scenario of that name.
  std::function<bool(const std::string&)> is_scenario = [](const std::string&) { return true; };
};

class CaptureStory {
public:
  CaptureStory(std::ostream& out, const Style& style, CaptureStoryOptions options);
  ~CaptureStory();

  /// Takes the next frame of the capture; `at` is in nanoseconds since 1970.
  void frame(const capture::DecodedFrame& frame, std::int64_t at);
  /// Writes the explanation. Throws base::UsageError if the capture has no TCP, or no connection
  /// with the number in the options.
  void finish();

private:
  struct Kept;
  struct Told;
  using Pair = std::pair<capture::Endpoint, capture::Endpoint>;  // the smaller one first

  Told* find(const capture::FlowKey& key, const capture::DecodedFrame& frame, std::int64_t at);
  void note_segment(const capture::DecodedFrame& frame, std::int64_t at,
                    capture::Duplicate duplicate);
  void note_icmp(const capture::DecodedFrame& frame, std::int64_t at);
  capture::Event packet_event(const capture::DecodedFrame& frame, std::int64_t at, const Told& told,
                              std::size_t sender);
  void note_neighbour(const capture::DecodedFrame& frame);
  /// Returns what the other connections and the link show about it.
  capture::Surroundings around(const Told& told) const;
  void note_time(std::int64_t at);
  /// Returns true if the frame is no new packet. The conversation does not note it then.
  bool note_duplicate(Told& told, const capture::DecodedFrame& frame, std::int64_t at,
                      capture::Duplicate duplicate);
  /// Puts the connections in the order of their beginnings, if timestamps went back.
  void sort();
  std::string without_tcp() const;
  void tell_notes() const;
  void tell_table() const;
  void tell(const Told& told) const;
  void tell_diagnoses(const Told& told) const;
  void tell_ladder(const Told& told) const;

  std::ostream& out_;
  Style style_;
  CaptureStoryOptions options_;
  std::vector<std::unique_ptr<Told>> told_;
  std::map<Pair, Told*> current_;
  capture::InitialSequences sequences_;
  capture::DuplicateDetector duplicates_;
  std::map<base::IpAddress, std::uint64_t> sought_;  // ARP and ND requests without an answer
  std::uint64_t frames_ = 0;
  std::uint64_t segments_ = 0;
  std::uint64_t untold_ = 0;          // segments of connections that are not followed
  std::uint64_t cut_ = 0;             // frames that end before their TCP header
  std::uint64_t twice_ = 0;           // frames that the capture has twice
  std::uint64_t returns_ = 0;         // timestamps before the previous frame's
  std::int64_t farthest_return_ = 0;  // nanoseconds
  std::int64_t first_at_ = 0;         // the earliest; nanoseconds since 1970
  std::int64_t last_at_ = 0;          // the latest
  std::int64_t newest_at_ = 0;        // of the previous frame
};

}  // namespace tcplab::reports
