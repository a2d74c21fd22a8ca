#include "reports/explain/followed_capture.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/error.hh"
#include "reports/explain/diagnosis.hh"
#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/summary.hh"

namespace tcplab::reports {

using capture::DecodedFrame;
using capture::Duplicate;
using capture::Event;
using capture::FlowKey;
using capture::TcpFlags;

namespace {

constexpr std::size_t kMostConnections = 2000;  // followed; a port scan makes more

// Nanoseconds that a timestamp may go back: a NIC with several queues does that.
constexpr std::int64_t kNoReturn = 1'000'000;

capture::Instant instant(std::int64_t since) {
  return capture::Instant(
      std::chrono::duration_cast<capture::Instant::duration>(capture::nanoseconds(since)));
}

/// Returns true if the snap length cut the frame before its TCP header, or before any header that
/// could say that it is no TCP.
bool is_cut_before_tcp(const DecodedFrame& frame) {
  if (frame.tcp || !frame.malformed.starts_with("truncated")) return false;
  constexpr std::uint8_t kTcp = 6;  // RFC 9293 section 3.1
  if (frame.ip) return frame.ip->protocol == kTcp && frame.ip->fragment_offset == 0;
  return frame.malformed != "truncated ARP packet";
}

/// Returns the protocol that carries the frame's packets, if tcplab does not decode it; else null.
const char* carrier_of(const DecodedFrame& frame) {
  struct Carrier {
    unsigned number;
    const char* name;
  };
  // https://www.iana.org/assignments/ieee-802-numbers
  static constexpr std::array kTypes = {Carrier{0x8863, "PPPoE"}, Carrier{0x8864, "PPPoE"},
                                        Carrier{0x8847, "MPLS"}, Carrier{0x8848, "MPLS"}};
  static constexpr std::array kPorts = {Carrier{4789, "VXLAN"}, Carrier{6081, "GENEVE"},
                                        Carrier{51820, "WireGuard"}, Carrier{4500, "IPsec"}};
  static constexpr std::array kProtocols = {Carrier{4, "IP in IP"}, Carrier{41, "IPv6 in IP"},
                                            Carrier{47, "GRE"}, Carrier{50, "IPsec"}};
  const auto name_in = [](const auto& table, unsigned number) -> const char* {
    for (const Carrier& carrier : table)
      if (carrier.number == number) return carrier.name;
    return nullptr;
  };
  if (frame.udp) return name_in(kPorts, frame.udp->destination_port);
  if (frame.ip) return name_in(kProtocols, frame.ip->protocol);
  return frame.ethernet ? name_in(kTypes, frame.ethernet->type) : nullptr;
}

bool is_first_syn(const DecodedFrame& frame) {
  return frame.tcp->has(TcpFlags::kSyn) && !frame.tcp->has(TcpFlags::kAck);
}

/// Returns true if an end is still in TIME_WAIT, which lasts 60 s on Linux (TCP_TIMEWAIT_LEN in
/// include/net/tcp.h).
bool is_in_time_wait(const capture::Conversation& talk, std::int64_t now) {
  constexpr std::int64_t kTimeWait = 60'000'000'000;  // nanoseconds
  if (now - talk.last_at() >= kTimeWait) return false;
  return talk.end(0).state == capture::TcpState::time_wait ||
         talk.end(1).state == capture::TcpState::time_wait;
}

/// Returns true if both ends closed, and nothing was wrong.
bool is_good(const Followed& followed, std::int64_t now) {
  const auto& talk = followed.conversation;
  if (!talk.is_over() || !talk.end(0).sent_fin || !talk.end(1).sent_fin) return false;
  const Summary summary = summary_of(talk, followed.facts, Roles(talk), now);
  return summary.trouble == Trouble::none && !summary.has_remark &&
         diagnoses(talk, followed.facts).empty();
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

}  // namespace

FollowedCapture::FollowedCapture(FollowOptions options)
    : options_(std::move(options)), duplicates_(options_.interfaces) {}

void FollowedCapture::frame(const DecodedFrame& frame, std::int64_t at) {
  const Duplicate duplicate = duplicates_.note(frame, at);
  if (duplicate == Duplicate::other_interface) return;
  note_time(at);
  if (is_cut_before_tcp(frame)) ++totals_.cut;
  if (frame.tcp) note_segment(frame, at, duplicate);
  if (!frame.tcp) note_undecoded(frame);
  if (frame.arp || frame.icmp) note_neighbour(frame);
  if (frame.icmp && frame.icmp->quoted) note_icmp(frame, at);
}

void FollowedCapture::note_time(std::int64_t at) {
  if (totals_.frames++ == 0) totals_.first_at = totals_.last_at = newest_at_ = at;
  if (newest_at_ - at >= kNoReturn) {
    ++totals_.returns;
    totals_.farthest_return = std::max(totals_.farthest_return, newest_at_ - at);
  }
  newest_at_ = at;
  totals_.first_at = std::min(totals_.first_at, at);
  totals_.last_at = std::max(totals_.last_at, at);
}

/// Makes room: forgets connections that closed without trouble, but for the newest.
void FollowedCapture::forget_good_ones() {
  constexpr std::size_t kNewest = 500;      // for frames that come late, and for TIME_WAIT
  constexpr std::uint64_t kPause = 10'000;  // segments until the next search, after one in vain
  if (untold_at_search_ > 0 && totals_.untold - untold_at_search_ < kPause) return;
  const std::size_t before = followed_.size();
  const auto last = followed_.end() - static_cast<std::ptrdiff_t>(std::min(kNewest, before));
  const auto kept = std::remove_if(followed_.begin(), last, [this](const auto& each) {
    if (!is_good(*each, newest_at_)) return false;
    const auto& talk = each->conversation;
    const auto found = current_.find(std::minmax(talk.end(0).address, talk.end(1).address));
    if (found != current_.end() && found->second == each.get()) current_.erase(found);
    return true;
  });
  followed_.erase(kept, last);
  totals_.forgotten += before - followed_.size();
  if (before == followed_.size()) untold_at_search_ = totals_.untold + 1;
}

Followed* FollowedCapture::find(const FlowKey& key, const DecodedFrame& frame, std::int64_t at) {
  const Pair pair = std::minmax(key.source, key.destination);
  const auto known = current_.find(pair);
  Followed* const current = known == current_.end() ? nullptr : known->second;
  // RFC 9293 section 3.6.1: a new SYN begins a new connection of the same two endpoints.
  const bool begins =
      current == nullptr || (is_first_syn(frame) && current->conversation.is_over());
  if (!begins) return current;
  const bool follows_time_wait = current != nullptr && is_in_time_wait(current->conversation, at);
  if (followed_.size() >= kMostConnections) forget_good_ones();
  if (followed_.size() >= kMostConnections) {
    ++totals_.untold;
    return nullptr;
  }
  const std::size_t index = ++begun_;
  const bool is_kept = !options_.only || options_.only->contains(index);
  followed_.push_back(std::make_unique<Followed>(
      key, at, index, is_kept ? options_.keep : KeepLimits{.first = 0, .notable = 0, .last = 0}));
  followed_.back()->facts.around.follows_time_wait = follows_time_wait;
  current_[pair] = followed_.back().get();
  return followed_.back().get();
}

Event FollowedCapture::packet_event(const DecodedFrame& frame, std::int64_t at,
                                    const Followed& followed, std::size_t sender) {
  capture::Packet packet = capture::describe(frame, sequences_.note(frame));
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

void FollowedCapture::keep(Followed& followed, LadderFrame frame) const {
  if (!options_.only || options_.only->contains(followed.index))
    followed.events.add(std::move(frame));
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
      Event event = packet_event(frame, at, followed, sender);
      std::get<capture::Packet>(event.body).effects = {{.kind = capture::EffectKind::copied}};
      keep(followed, {.packet = std::move(event), .sender = sender});
      return true;
    }
  }
  return false;
}

void FollowedCapture::note_segment(const DecodedFrame& frame, std::int64_t at,
                                   Duplicate duplicate) {
  ++totals_.segments;
  const FlowKey key{{frame.ip->source, frame.tcp->source_port},
                    {frame.ip->destination, frame.tcp->destination_port}};
  Followed* followed = find(key, frame, at);
  if (followed == nullptr) return;
  at = std::max(at, followed->conversation.last_at());  // steps back say nothing about durations
  if (note_duplicate(*followed, frame, at, duplicate)) return;
  const capture::SegmentReading reading = followed->conversation.note(frame, at);
  followed->facts.note(frame, at, followed->conversation, reading, duplicate);
  if (reading.first_probes)
    followed->events.add_trait(reading.first_probes->end, reading.first_probes->kind);
  for (const capture::StateChange& change : reading.changes)
    if (is_still_in_handshake(change))
      followed->events.withdraw(followed->conversation.end(change.end).address.to_string(),
                                change.from);
  LadderFrame kept{.packet = packet_event(frame, at, *followed, reading.sender),
                   .traits = reading.traits,
                   .sender = reading.sender,
                   .is_notable = is_notable(frame, reading)};
  kept.states = state_events(reading, at, *followed);
  keep(*followed, std::move(kept));
}

/// Ties an ICMP error to the connection whose packet it quotes.
void FollowedCapture::note_icmp(const DecodedFrame& frame, std::int64_t at) {
  const auto& quoted = *frame.icmp->quoted;
  const auto found = current_.find(std::minmax(quoted.source, quoted.destination));
  if (found == current_.end()) return;
  Followed& followed = *found->second;
  ++followed.icmp_errors;
  const std::size_t about = quoted.source == followed.conversation.end(0).address ? 0 : 1;
  followed.facts.note_icmp(frame, about, followed.conversation);
  at = std::max(at, followed.conversation.last_at());
  Event event = packet_event(frame, at, followed, 1 - about);
  std::get<capture::Packet>(event.body).from = "";  // a router, which has no lifeline
  keep(followed, {.packet = std::move(event), .sender = 1 - about, .is_notable = true});
}

/// RFC 826; RFC 4861 section 7.2.
void FollowedCapture::note_neighbour(const DecodedFrame& frame) {
  constexpr std::uint16_t kRequest = 1;
  constexpr std::uint8_t kSolicitation = 135;
  constexpr std::uint8_t kAdvertisement = 136;
  constexpr std::size_t kMost = 1000;
  const auto ask = [this](const base::IpAddress& address) {
    if (sought_.size() < kMost || sought_.contains(address)) ++sought_[address];
  };
  if (frame.arp) {
    if (frame.arp->operation == kRequest) ask(frame.arp->target);
    sought_.erase(frame.arp->sender);
  } else if (frame.icmp->target) {
    if (frame.icmp->type == kSolicitation) ask(*frame.icmp->target);
    if (frame.icmp->type == kAdvertisement) sought_.erase(*frame.icmp->target);
  }
}

capture::ConversationFacts FollowedCapture::facts_of(const Followed& followed) const {
  capture::ConversationFacts facts = followed.facts;
  capture::Surroundings& around = facts.around;
  const auto& talk = followed.conversation;
  around.ends_at = totals_.last_at;
  for (const auto& each : followed_) {
    const auto& other = each->conversation;
    if (other.end(1).address != talk.end(1).address) continue;
    const bool has_answer = each->facts.end(1).syn_acks > 0;
    if (each.get() != &followed && other.was_established() && has_answer)
      around.listener_answers_others = true;
    const bool gave_up = other.reset() == capture::ResetKind::gave_up && other.reset_by() == 0;
    if (each.get() != &followed && (other.end(0).unanswered > 1 || gave_up) && has_answer)
      around.listener_is_silent = true;
    if (!other.was_established() && has_answer && other.reset() == capture::ResetKind::none)
      ++around.never_completed;
  }
  for (const std::size_t end : {0, 1}) {
    const auto found = sought_.find(talk.end(end).address.address);
    around.sought.at(end) = found == sought_.end() ? 0 : found->second;
  }
  return facts;
}

void FollowedCapture::note_undecoded(const DecodedFrame& frame) {
  if (const char* carrier = carrier_of(frame); carrier != nullptr) ++undecoded_[carrier];
}

std::string FollowedCapture::without_tcp() const {
  if (totals_.frames == 0) return "it has no frames";
  for (const auto& [carrier, count] : undecoded_)
    return fmt::format("{} of its {} {} {}, which tcplab does not decode",
                       count == totals_.frames ? "all" : std::to_string(count),
                       totals_.frames == 1 ? "1 frame" : fmt::format("{} frames", totals_.frames),
                       count == 1 ? "is" : "are", carrier);
  if (totals_.cut == 0)
    return fmt::format("there is no TCP in its {}", counted(totals_.frames, "frame"));
  return fmt::format(
      "{} of its {} cut off before a TCP header: capture more of each frame (tcpdump -s)",
      totals_.cut == totals_.frames ? "all" : std::to_string(totals_.cut),
      totals_.frames == 1 ? "1 frame is" : fmt::format("{} frames are", totals_.frames));
}

void FollowedCapture::finish() {
  if (followed_.empty()) throw base::UsageError(without_tcp());
  if (totals_.returns == 0) return;
  std::ranges::stable_sort(followed_, {}, [](const std::unique_ptr<Followed>& followed) {
    return followed->conversation.began_at();
  });
  for (std::size_t i = 0; i < followed_.size(); ++i) followed_[i]->number = i + 1;
}

}  // namespace tcplab::reports
