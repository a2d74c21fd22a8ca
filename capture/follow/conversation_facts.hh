// Collects facts about one connection of a capture, besides its states (conversation.hh): counts
// and flags that distinguish causes of failure. reports/explain/diagnosis interprets them. Pure;
// bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "capture/decode/decode.hh"
#include "capture/follow/conversation.hh"
#include "capture/follow/delivery_collector.hh"
#include "capture/follow/duplicate_detector.hh"
#include "capture/follow/end_facts.hh"
#include "capture/follow/ending_collector.hh"
#include "capture/follow/pauses.hh"
#include "capture/follow/reordering_finder.hh"
#include "capture/follow/reset_trigger.hh"
#include "capture/follow/seen_segment.hh"
#include "capture/follow/strange_segment_finder.hh"

namespace tcplab::capture {

/// What the rest of the capture shows.
struct Surroundings {
  bool listener_answers_others = false;  // the same listener has made another connection
  bool listener_is_silent = false;       // it no longer answers in another connection
  bool follows_time_wait = false;        // the pair's previous connection ended in TIME_WAIT
  std::int64_t ends_at = 0;           // the capture, before its time jumps; nanoseconds since 1970
  bool lacks_plain_segments = false;  // a capture filter kept only SYN, FIN and RST
  bool has_no_plain_segment = false;  // the capture has no others; a filter may be the reason
  bool has_undecoded = false;         // the capture has frames that were not decoded
  std::uint32_t never_completed = 0;  // with the same listener: SYN,ACK, and no third segment
  std::int64_t time_wait_since = 0;   // then; nanoseconds since 1970
  bool has_older_stamp = false;       // than another connection of that client's address had
  std::uint32_t checked = 0;          // with the same listener: its SYN,ACK was reset at once
  std::uint32_t scanned_ports = 0;    // by the client, of that server, without data; 0 if few
  std::uint32_t scanned_hosts = 0;    // by the client, at that port, without data; 0 if few
  std::array<std::uint32_t, 2> sought = {0, 0};  // ARP or ND requests of the other for it
};

class ConversationFacts {
public:
  /// Notes a frame. `conversation` has noted it before and returned `reading`.
  void note(const DecodedFrame& frame, std::int64_t at, const Conversation& conversation,
            const SegmentReading& reading, Duplicate duplicate);
  /// Notes a packet that a router has forwarded. The conversation has not noted it.
  void note_forwarded(const DecodedFrame& frame, std::size_t sender);
  /// Notes a copy that the path has made. The conversation has not noted it.
  void note_copy(const DecodedFrame& frame, std::size_t sender);
  /// Notes an ICMP error that quotes a segment of `sender`.
  void note_icmp(const DecodedFrame& frame, std::size_t sender, const Conversation& conversation);

  const EndFacts& end(std::size_t which) const { return ends_.at(which); }
  /// Returns how the connection ended.
  const EndingFacts& ending() const { return ending_.facts(); }
  bool opened_at_once() const { return ends_[0].syns > 0 && ends_[1].syns > 0; }
  const Pauses& pauses() const { return pauses_; }
  /// Returns how often the capture has one SYN, each with a lower hop limit; 0 if once.
  std::uint32_t hops() const { return hops_; }

  Surroundings around;

private:
  /// The sequence numbers of the last segments of an end.
  class RecentNumbers {
  public:
    void add(std::uint32_t sequence);
    bool contains(std::uint32_t sequence) const;

  private:
    std::vector<std::uint32_t> numbers_;
    std::size_t oldest_ = 0;
  };

  void note_reset(const SeenSegment& seen);

  FactsOfEnds ends_;
  std::array<RecentNumbers, 2> recent_;
  DeliveryCollector delivery_;
  ReorderingFinder reordering_;
  StrangeSegmentFinder strange_;
  EndingCollector ending_;
  ResetTriggerFinder trigger_finder_;
  Pauses pauses_;
  std::uint32_t hops_ = 0;
  std::uint32_t hops_of_syn_ = 1;
};

}  // namespace tcplab::capture
