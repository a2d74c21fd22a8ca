#include "reports/explain/followed_capture.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/error.hh"
#include "reports/explain/diagnosis.hh"
#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/neighbours.hh"
#include "reports/explain/summary.hh"

namespace tcplab::reports {

using capture::DecodedFrame;
using capture::Duplicate;
using capture::Event;
using capture::FlowKey;
using capture::TcpFlags;

namespace {

capture::Instant instant(std::int64_t since) {
  return capture::Instant(
      std::chrono::duration_cast<capture::Instant::duration>(capture::nanoseconds(since)));
}

/// Returns true if the snap length cut the frame before its TCP header, or before any header that
/// could say that it is no TCP.
bool is_cut_before_tcp(const DecodedFrame& frame) {
  if (frame.tcp || frame.is_whole || !frame.malformed.starts_with("truncated")) return false;
  constexpr std::uint8_t kTcp = 6;  // RFC 9293 section 3.1
  if (frame.ip) return frame.ip->protocol == kTcp && frame.ip->fragment_offset == 0;
  return frame.malformed != "truncated ARP packet";
}

/// Returns true if the ends' numbers show octets of which the capture has no frame.
bool has_unseen_octets(const capture::Conversation& talk) {
  for (const std::size_t end : {0, 1}) {
    const auto missing = talk.missing(end);
    if (missing.below + missing.above > 0) return true;
  }
  return false;
}

bool is_first_syn(const DecodedFrame& frame) {
  return frame.tcp->has(TcpFlags::kSyn) && !frame.tcp->has(TcpFlags::kAck);
}

/// Returns true if the end has not left SYN_RECV, as it seemed to: it retransmits its SYN,ACK.
bool is_still_in_handshake(const capture::StateChange& change) {
  return change.from == capture::TcpState::established && change.to == capture::TcpState::syn_recv;
}

/// Returns true for a segment to see in a ladder that leaves out most others.
bool is_notable(const DecodedFrame& frame, const capture::SegmentReading& reading) {
  const auto flags = TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst;
  return (frame.tcp->flags & flags) != 0 || !reading.changes.empty() || reading.closes_window ||
         reading.opens_window;
}

/// Without the third segment of the handshake, the server would have sent its SYN,ACK again.
bool has_unseen_third(const Followed& followed, std::int64_t end_at) {
  constexpr std::int64_t kPatience = 3'000'000'000;  // nanoseconds; RFC 6298: 1 s
  const capture::Conversation& talk = followed.conversation;
  return followed.facts.end(1).syn_acks == 1 && !talk.states().was_established() &&
         talk.reset().kind == capture::ResetKind::none && end_at - talk.last_at() >= kPatience;
}

}  // namespace

FollowedCapture::FollowedCapture(FollowOptions options)
    : options_(std::move(options)), table_(options_.most), duplicates_(options_.interfaces) {}

void FollowedCapture::frame(const DecodedFrame& frame, std::int64_t at) {
  if (frame.ip && frame.ip->is_fragment()) {
    note_frame(at);
    const auto whole = fragments_.note(frame, at);
    if (whole) note_packet(*whole, at, duplicates_.note(*whole, at));
    return;
  }
  const Duplicate duplicate = duplicates_.note(frame, at);
  if (duplicate == Duplicate::other_interface) return;
  note_frame(at);
  note_packet(frame, at, duplicate);
}

void FollowedCapture::note_frame(std::int64_t at) {
  ++totals_.frames;
  clock_.note(at);
}

void FollowedCapture::note_packet(const DecodedFrame& frame, std::int64_t at, Duplicate duplicate) {
  if (frame.ip && !sought_.empty()) sought_.erase(frame.ip->source);
  if (frame.tcp) note_segment(frame, at, duplicate);
  if (is_cut_before_tcp(frame))
    ++totals_.cut;
  else
    undecoded_.note(frame);
  if (frame.arp || frame.icmp) note_neighbour(frame);
  if (frame.icmp && frame.icmp->quoted) note_icmp(frame, at);
}

/// Returns true if the frame begins another connection than the latest of its endpoints.
bool FollowedCapture::begins(const Followed* latest, const DecodedFrame& frame) const {
  if (latest == nullptr) return true;
  if (options_.only && options_.only->first_frames.contains(totals_.frames)) return true;
  // RFC 9293 section 3.6.1: a new SYN begins a new connection of the same two endpoints.
  return is_first_syn(frame) && latest->conversation.states().is_over();
}

Followed* FollowedCapture::find(const FlowKey& key, const DecodedFrame& frame, std::int64_t at) {
  const EndpointPair pair = pair_of(key);
  if (options_.only && !options_.only->pairs.contains(pair)) return nullptr;
  Followed* const latest = table_.find(pair);
  // Of the rest of a connection that was not followed from its beginning nothing can be said.
  const bool is_rest = !is_first_syn(frame) && table_.is_unfollowed(pair);
  if (!is_rest && !begins(latest, frame)) return latest;
  const std::int64_t time_wait_since = latest == nullptr ? 0 : in_time_wait_since(*latest, at);
  if (is_rest || !table_.has_room(clock_.previous_at(), totals_.segments)) {
    table_.note_unfollowed(pair);
    return nullptr;
  }
  Followed& followed = table_.add(key, at, totals_.frames);
  duplicates_.remember(table_.all().size());
  const bool is_kept = options_.only ? options_.only->first_frames.contains(totals_.frames)
                                     : table_.all().size() <= options_.most_kept;
  if (is_kept) followed.events = std::make_unique<EventKeeper>(options_.keep);
  followed.facts.around.follows_time_wait = time_wait_since > 0;
  followed.facts.around.time_wait_since = time_wait_since;
  return &followed;
}

Event FollowedCapture::packet_event(const DecodedFrame& frame, std::int64_t at,
                                    const Followed& followed, std::size_t sender) {
  const auto flow = capture::flow_of(frame);
  const capture::SequenceBases bases =
      flow ? followed.events->bases().note(*flow, capture::header_of(*frame.tcp))
           : capture::SequenceBases();
  capture::Packet packet = capture::describe(frame, bases);
  packet.frame = totals_.frames;
  packet.from = followed.conversation.end(sender).address.to_string();
  packet.to = followed.conversation.end(1 - sender).address.to_string();
  packet.sent = instant(at);
  packet.delivered = packet.sent;
  const capture::Instant sent = packet.sent;
  return {.number = ++events_, .at = sent, .body = std::move(packet)};
}

std::vector<Event> FollowedCapture::state_events(const capture::SegmentReading& reading,
                                                 std::int64_t at, const Followed& followed) {
  std::vector<Event> events;
  for (const capture::StateChange& change : reading.changes) {
    const auto& end = followed.conversation.end(change.end);
    if (end.segments == 0) continue;  // only one direction was captured
    // Nobody knows whether the silent end still has the connection.
    if (reading.reset == capture::ResetKind::gave_up && change.end != reading.sender) continue;
    if (is_still_in_handshake(change)) continue;
    events.push_back(
        {.number = ++events_,
         .at = instant(at),
         .body = capture::State{.host = end.address.to_string(),
                                .local = end.address,
                                .remote = followed.conversation.end(1 - change.end).address,
                                .from = change.from,
                                .to = change.to,
                                .cause = capture::StateCause::frame,
                                .frame = totals_.frames,
                                .socket = {}}});
  }
  return events;
}

bool FollowedCapture::note_duplicate(Followed& followed, const DecodedFrame& frame, std::int64_t at,
                                     Duplicate duplicate) {
  const capture::Endpoint source{frame.ip->source, frame.tcp->source_port};
  const std::size_t sender = source == followed.conversation.end(0).address ? 0 : 1;
  switch (duplicate) {
    case Duplicate::none:
    case Duplicate::altered:
      return false;
    case Duplicate::other_interface:
    case Duplicate::recaptured:
      ++totals_.twice;
      return true;
    case Duplicate::forwarded:
      followed.facts.note_forwarded(frame, sender);
      return true;
    case Duplicate::copied: {
      followed.facts.note_copy(frame, sender);
      if (!followed.events) return true;
      Event event = packet_event(frame, at, followed, sender);
      std::get<capture::Packet>(event.body).effects = {{.kind = capture::EffectKind::copied}};
      followed.events->add({.packet = std::move(event), .sender = sender});
      return true;
    }
  }
  return false;
}

void FollowedCapture::note_segment(const DecodedFrame& frame, std::int64_t at,
                                   Duplicate duplicate) {
  ++totals_.segments;
  if ((frame.tcp->flags & (TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst)) == 0) ++totals_.plain;
  const FlowKey key{{frame.ip->source, frame.tcp->source_port},
                    {frame.ip->destination, frame.tcp->destination_port}};
  Followed* followed = find(key, frame, at);
  if (followed == nullptr) return;
  at = std::max(at, followed->conversation.last_at());  // steps back say nothing about durations
  if (note_duplicate(*followed, frame, at, duplicate)) return;
  followed->stretch = static_cast<std::uint32_t>(clock_.stretch());
  const capture::SegmentReading reading = followed->conversation.note(frame, at);
  followed->facts.note(frame, at, followed->conversation, reading, duplicate);
  if (followed->events) keep(*followed, frame, at, reading);
}

/// Keeps the frame for the connection's ladder.
void FollowedCapture::keep(Followed& followed, const DecodedFrame& frame, std::int64_t at,
                           const capture::SegmentReading& reading) {
  EventKeeper& events = *followed.events;
  if (reading.first_probes) events.add_trait(reading.first_probes->end, reading.first_probes->kind);
  for (const capture::StateChange& change : reading.changes)
    if (is_still_in_handshake(change))
      events.withdraw(followed.conversation.end(change.end).address.to_string(), change.from);
  LadderFrame kept{.packet = packet_event(frame, at, followed, reading.sender),
                   .traits = reading.traits,
                   .sender = reading.sender,
                   .is_notable = is_notable(frame, reading)};
  kept.states = state_events(reading, at, followed);
  events.add(std::move(kept));
}

/// Ties an ICMP error to the connection whose packet it quotes.
void FollowedCapture::note_icmp(const DecodedFrame& frame, std::int64_t at) {
  const auto& quoted = *frame.icmp->quoted;
  Followed* const found = table_.find(pair_of({quoted.source, quoted.destination}));
  if (found == nullptr) return;
  Followed& followed = *found;
  ++followed.icmp_errors;
  const std::size_t about = quoted.source == followed.conversation.end(0).address ? 0 : 1;
  followed.facts.note_icmp(frame, about, followed.conversation);
  if (!followed.events) return;
  at = std::max(at, followed.conversation.last_at());
  Event event = packet_event(frame, at, followed, 1 - about);
  std::get<capture::Packet>(event.body).from = "";  // a router, which has no lifeline
  followed.events->add({.packet = std::move(event), .sender = 1 - about, .is_notable = true});
}

/// RFC 826; RFC 4861 section 7.2.
void FollowedCapture::note_neighbour(const DecodedFrame& frame) {
  constexpr std::uint16_t kRequest = 1;
  constexpr std::uint8_t kSolicitation = 135;
  constexpr std::uint8_t kAdvertisement = 136;
  if (frame.arp) {
    if (frame.arp->operation == kRequest) note_request(frame.arp->sender, frame.arp->target);
    sought_.erase(frame.arp->sender);
  } else if (frame.icmp->target) {
    if (frame.icmp->type == kSolicitation) note_request(frame.ip->source, *frame.icmp->target);
    if (frame.icmp->type == kAdvertisement) sought_.erase(*frame.icmp->target);
  }
}

void FollowedCapture::note_request(const base::IpAddress& asker, const base::IpAddress& target) {
  constexpr std::size_t kMost = 1000;
  constexpr std::size_t kMostAskers = 16;
  if (sought_.size() >= kMost && !sought_.contains(target)) return;
  auto& askers = sought_[target];
  if (askers.size() < kMostAskers || askers.contains(asker)) ++askers[asker];
}

/// Completes the facts of each connection with what the rest of the capture shows.
void FollowedCapture::note_surroundings() {
  for (const auto& followed : table_.all()) {
    capture::Surroundings& around = followed->facts.around;
    around.ends_at = clock_.end_of(followed->stretch);
    around.lacks_plain_segments = totals_.lacks_plain;
    around.has_no_plain_segment = totals_.plain == 0;
    around.has_undecoded = undecoded_.total() > 0;
    for (const std::size_t end : {0, 1}) {
      const auto found = sought_.find(followed->conversation.end(end).address.address);
      if (found == sought_.end()) continue;
      const auto by_peer = found->second.find(followed->conversation.end(1 - end).address.address);
      if (by_peer != found->second.end()) around.sought.at(end) = by_peer->second;
    }
  }
  note_neighbours(table_.all());
}

void FollowedCapture::take_frames(FollowedCapture& other) {
  std::map<std::uint64_t, Followed*> by_frame;
  for (const auto& followed : other.table_.all())
    if (followed->events) by_frame[followed->first_frame] = followed.get();
  for (const auto& followed : table_.all())
    if (const auto found = by_frame.find(followed->first_frame); found != by_frame.end())
      followed->events = std::move(found->second->events);
}

std::string FollowedCapture::without_tcp() const {
  if (totals_.frames == 0) return "it has no frames";
  const std::string frames = counted(totals_.frames, "frame");
  const std::string undecoded =
      undecoded_.total() == 0
          ? ""
          : fmt::format("; tcplab does not decode {}", words_of(undecoded_.counts()));
  if (totals_.cut == 0) return fmt::format("there is no TCP in its {}{}", frames, undecoded);
  return fmt::format(
      "{} of its {} cut off before a TCP header: capture more of each frame (tcpdump -s)",
      totals_.cut == totals_.frames ? "all" : std::to_string(totals_.cut),
      totals_.frames == 1 ? "1 frame is" : fmt::format("{} frames are", totals_.frames));
}

void FollowedCapture::finish() {
  std::vector<std::unique_ptr<Followed>>& followed = table_.all();
  if (followed.empty()) throw base::UsageError(without_tcp());
  totals_.forgotten = table_.forgotten();
  totals_.unfollowed = table_.unfollowed();
  totals_.untold = table_.untold();
  totals_.first_at = clock_.first_at();
  totals_.last_at = clock_.last_at();
  totals_.returns = clock_.returns();
  totals_.farthest_return = clock_.farthest_return();
  totals_.fragments = fragments_.incomplete();
  totals_.jumps = clock_.jumps();
  totals_.farthest_jump = clock_.farthest_jump();
  totals_.lacks_plain =
      totals_.plain == 0 && std::ranges::any_of(followed, [this](const auto& each) {
        return has_unseen_octets(each->conversation) || has_unseen_third(*each, totals_.last_at);
      });
  note_surroundings();
  if (totals_.returns == 0) return;
  std::ranges::stable_sort(followed, {}, [](const std::unique_ptr<Followed>& each) {
    return each->conversation.began_at();
  });
  for (std::size_t i = 0; i < followed.size(); ++i) followed[i]->number = i + 1;
}

}  // namespace tcplab::reports
