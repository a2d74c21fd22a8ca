#include "reports/explain/capture_story.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "base/error.hh"
#include "reports/explain/conversation_text.hh"
#include "reports/explain/diagnosis.hh"
#include "reports/explain/diagnosis_rules.hh"
#include "reports/ladder/ladder.hh"
#include "reports/story/segments.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

using capture::DecodedFrame;
using capture::Duplicate;
using capture::Event;
using capture::FlowKey;
using capture::TcpFlags;

namespace {

constexpr std::size_t kMostConnections = 2000;  // followed; a port scan makes more
constexpr std::size_t kFirstEvents = 24;        // of a connection's ladder
constexpr std::size_t kLastEvents = 16;

capture::Instant instant(std::int64_t since) {
  return capture::Instant(
      std::chrono::duration_cast<capture::Instant::duration>(capture::nanoseconds(since)));
}

// Nanoseconds that a timestamp may go back: a NIC with several queues does that.
constexpr std::int64_t kNoReturn = 1'000'000;

/// Returns true if the snap length cut the frame before its TCP header, or before any header that
/// could say that it is no TCP.
bool is_cut_before_tcp(const DecodedFrame& frame) {
  if (frame.tcp || !frame.malformed.starts_with("truncated")) return false;
  constexpr std::uint8_t kTcp = 6;  // RFC 9293 section 3.1
  if (frame.ip) return frame.ip->protocol == kTcp && frame.ip->fragment_offset == 0;
  return frame.malformed != "truncated ARP packet";
}

/// Returns the event with times since the beginning of the capture.
Event since(std::int64_t first, Event event) {
  const capture::nanoseconds before(first);
  event.at -= before;
  if (auto* packet = std::get_if<capture::Packet>(&event.body)) {
    packet->sent -= before;
    if (packet->delivered) *packet->delivered -= before;
  }
  return event;
}

void expect(Segments& classified, const Event& event, capture::SegmentTraits traits) {
  if (const auto* packet = std::get_if<capture::Packet>(&event.body))
    classified.expect(packet->frame, traits);
}

bool is_first_syn(const DecodedFrame& frame) {
  return frame.tcp->has(TcpFlags::kSyn) && !frame.tcp->has(TcpFlags::kAck);
}

}  // namespace

/// An event of a connection's ladder.
struct CaptureStory::Kept {
  Event event;
  capture::SegmentTraits traits;  // of a packet
};

struct CaptureStory::Told {
  Told(const FlowKey& key, std::int64_t at, std::size_t count)
      : conversation(key, at), number(count) {}

  capture::Conversation conversation;
  capture::ConversationFacts facts;
  std::size_t number;
  std::vector<Kept> first;
  std::deque<Kept> last;
  std::uint64_t left_out = 0;
  std::uint64_t icmp_errors = 0;

  /// Returns the time without steps back, which say nothing about durations.
  std::int64_t steady(std::int64_t at) const { return std::max(at, conversation.last_at()); }

  void keep(Event event, capture::SegmentTraits traits = {}) {
    if (first.size() < kFirstEvents) return first.push_back({std::move(event), traits});
    last.push_back({std::move(event), traits});
    if (last.size() <= kLastEvents) return;
    last.pop_front();
    ++left_out;
  }
};

CaptureStory::CaptureStory(std::ostream& out, const Style& style, CaptureStoryOptions options)
    : out_(out), style_(style), options_(std::move(options)), duplicates_(options_.interfaces) {}

CaptureStory::~CaptureStory() = default;

void CaptureStory::frame(const DecodedFrame& frame, std::int64_t at) {
  const Duplicate duplicate = duplicates_.note(frame, at);
  if (duplicate == Duplicate::other_interface) return;
  note_time(at);
  if (is_cut_before_tcp(frame)) ++cut_;
  if (frame.tcp) note_segment(frame, at, duplicate);
  if (frame.arp || frame.icmp) note_neighbour(frame);
  if (frame.icmp && frame.icmp->quoted) note_icmp(frame, at);
}

void CaptureStory::note_time(std::int64_t at) {
  if (frames_++ == 0) first_at_ = last_at_ = newest_at_ = at;
  if (newest_at_ - at >= kNoReturn) {
    ++returns_;
    farthest_return_ = std::max(farthest_return_, newest_at_ - at);
  }
  newest_at_ = at;
  first_at_ = std::min(first_at_, at);
  last_at_ = std::max(last_at_, at);
}

CaptureStory::Told* CaptureStory::find(const FlowKey& key, const DecodedFrame& frame,
                                       std::int64_t at) {
  const Pair pair = std::minmax(key.source, key.destination);
  Told*& current = current_[pair];
  // RFC 9293 section 3.6.1: a new SYN begins a new connection of the same two endpoints.
  const bool begins =
      current == nullptr || (is_first_syn(frame) && current->conversation.is_over());
  if (!begins) return current;
  if (told_.size() >= kMostConnections) {
    if (current == nullptr) current_.erase(pair);
    ++untold_;
    return nullptr;
  }
  const bool follows_time_wait =
      current != nullptr && (current->conversation.end(0).state == capture::TcpState::time_wait ||
                             current->conversation.end(1).state == capture::TcpState::time_wait);
  told_.push_back(std::make_unique<Told>(key, at, told_.size() + 1));
  told_.back()->facts.around.follows_time_wait = follows_time_wait;
  return current = told_.back().get();
}

Event CaptureStory::packet_event(const DecodedFrame& frame, std::int64_t at, const Told& told,
                                 std::size_t sender) {
  capture::Packet packet = capture::describe(frame, sequences_.note(frame));
  packet.frame = frames_;
  packet.from = told.conversation.end(sender).address.to_string();
  packet.to = told.conversation.end(1 - sender).address.to_string();
  packet.sent = instant(at);
  packet.delivered = packet.sent;
  const capture::Instant sent = packet.sent;
  return {.number = frames_, .at = sent, .body = std::move(packet)};
}

bool CaptureStory::note_duplicate(Told& told, const DecodedFrame& frame, std::int64_t at,
                                  Duplicate duplicate) {
  const capture::Endpoint source{frame.ip->source, frame.tcp->source_port};
  const std::size_t sender = source == told.conversation.end(0).address ? 0 : 1;
  switch (duplicate) {
    case Duplicate::none:
    case Duplicate::altered:
      return false;
    case Duplicate::other_interface:
    case Duplicate::recaptured:
      ++twice_;
      return true;
    case Duplicate::forwarded:
      told.facts.note_forwarded(frame, sender);
      return true;
    case Duplicate::copied: {
      told.facts.note_copy(frame, sender);
      Event event = packet_event(frame, at, told, sender);
      std::get<capture::Packet>(event.body).effects = {{.kind = capture::EffectKind::copied}};
      told.keep(std::move(event));
      return true;
    }
  }
  return false;
}

void CaptureStory::note_segment(const DecodedFrame& frame, std::int64_t at, Duplicate duplicate) {
  ++segments_;
  const FlowKey key{{frame.ip->source, frame.tcp->source_port},
                    {frame.ip->destination, frame.tcp->destination_port}};
  Told* told = find(key, frame, at);
  if (told == nullptr) return;
  at = told->steady(at);
  if (note_duplicate(*told, frame, at, duplicate)) return;
  const capture::SegmentReading reading = told->conversation.note(frame, at);
  told->facts.note(frame, at, told->conversation, reading, duplicate);
  told->keep(packet_event(frame, at, *told, reading.sender), reading.traits);
  for (const capture::StateChange& change : reading.changes) {
    const auto& end = told->conversation.end(change.end);
    told->keep({.number = frames_,
                .at = instant(at),
                .body = capture::State{.host = end.address.to_string(),
                                       .local = end.address,
                                       .remote = told->conversation.end(1 - change.end).address,
                                       .from = change.from,
                                       .to = change.to,
                                       .cause = capture::StateCause::frame,
                                       .frame = frames_,
                                       .socket = {}}});
  }
}

/// Ties an ICMP error to the connection whose packet it quotes.
void CaptureStory::note_icmp(const DecodedFrame& frame, std::int64_t at) {
  const auto& quoted = *frame.icmp->quoted;
  const auto found = current_.find(std::minmax(quoted.source, quoted.destination));
  if (found == current_.end()) return;
  ++found->second->icmp_errors;
  const bool to_first = quoted.source == found->second->conversation.end(0).address;
  found->second->facts.note_icmp(frame, to_first ? 0 : 1, found->second->conversation);
  Event event = packet_event(frame, found->second->steady(at), *found->second, to_first ? 1 : 0);
  std::get<capture::Packet>(event.body).from = "";  // a router, which has no lifeline
  found->second->keep(std::move(event));
}

/// RFC 826; RFC 4861 section 7.2.
void CaptureStory::note_neighbour(const DecodedFrame& frame) {
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

capture::Surroundings CaptureStory::around(const Told& told) const {
  capture::Surroundings around = told.facts.around;
  const auto& talk = told.conversation;
  for (const auto& each : told_) {
    const auto& other = each->conversation;
    if (other.end(1).address != talk.end(1).address) continue;
    const bool has_answer = each->facts.end(1).syn_acks > 0;
    if (each.get() != &told && other.was_established() && has_answer)
      around.listener_answers_others = true;
    if (!other.was_established() && has_answer && other.reset() == capture::ResetKind::none)
      ++around.never_completed;
  }
  for (const std::size_t end : {0, 1}) {
    const auto found = sought_.find(talk.end(end).address.address);
    around.sought.at(end) = found == sought_.end() ? 0 : found->second;
  }
  return around;
}

std::string CaptureStory::without_tcp() const {
  if (frames_ == 0) return "it has no frames";
  if (cut_ == 0) return fmt::format("there is no TCP in its {}", counted(frames_, "frame"));
  return fmt::format(
      "{} of its {} cut off before a TCP header: capture more of each frame (tcpdump -s)",
      cut_ == frames_ ? "all" : std::to_string(cut_),
      frames_ == 1 ? "1 frame is" : fmt::format("{} frames are", frames_));
}

void CaptureStory::sort() {
  if (returns_ == 0) return;
  std::ranges::stable_sort(
      told_, {}, [](const std::unique_ptr<Told>& told) { return told->conversation.began_at(); });
  for (std::size_t i = 0; i < told_.size(); ++i) told_[i]->number = i + 1;
}

void CaptureStory::finish() {
  if (told_.empty()) throw base::UsageError(without_tcp());
  sort();
  if (options_.only) {
    if (*options_.only == 0 || *options_.only > told_.size())
      throw base::UsageError(fmt::format("it has {}, and no connection {}",
                                         counted(told_.size(), "connection"), *options_.only));
    tell_notes();
    return tell(*told_[*options_.only - 1]);
  }
  tell_table();
  for (std::size_t i = 0; i < std::min(told_.size(), options_.most); ++i) tell(*told_[i]);
  if (told_.size() > options_.most)
    out_ << fmt::format("\nTo see the others in full: --connection N, or --most N\n");
}

/// Says what is unusual about the capture.
void CaptureStory::tell_notes() const {
  const auto say = [this](const std::string& text) {
    write_hanging(out_, "", text, Paint::plain, style_);
  };
  if (returns_ > 0)
    say(fmt::format(
        "Its timestamps go back {}, by up to {}, as if captures were concatenated. Each "
        "connection is explained in the order of the file; reordercap(1) sorts it.",
        times(returns_), duration(farthest_return_)));
  if (twice_ > 0)
    say(
        fmt::format("{} in it already, identical, as in a capture of a bridge or of `-i any`: each "
                    "is counted once",
                    twice_ == 1 ? "1 frame was" : fmt::format("{} frames were", twice_)));
  if (cut_ > 0)
    say(fmt::format("{} cut off before a TCP header (tcpdump -s) and not explained",
                    cut_ == 1 ? "1 frame is" : fmt::format("{} frames are", cut_)));
}

void CaptureStory::tell_table() const {
  write_hanging(out_, "",
                fmt::format("{} in {:.3f} s, {} of TCP, {}{}", counted(frames_, "frame"),
                            double(last_at_ - first_at_) / 1e9, segments_,
                            untold_ > 0 ? "more than " : "", counted(told_.size(), "connection")),
                Paint::plain, style_);
  tell_notes();
  out_ << "\n";
  for (const auto& each : told_) {
    const auto& talk = each->conversation;
    write_hanging(
        out_,
        fmt::format("{:>4}  {:9.3f} s  ", each->number, double(talk.began_at() - first_at_) / 1e9),
        title_of(talk) + ": " + ending_of(talk), Paint::plain, style_);
  }
  if (untold_ > 0)
    out_ << fmt::format("      and {} of other connections; at most {} are followed\n",
                        counted(untold_, "segment"), told_.size());
}

void CaptureStory::tell(const Told& told) const {
  const auto& talk = told.conversation;
  out_ << "\n";
  write_hanging(out_, "", fmt::format("Connection {}: {}", told.number, title_of(talk)),
                Paint::plain, style_);
  out_ << "\n";
  std::vector<std::string> sentences = sentences_of(talk);
  if (told.icmp_errors > 0)
    sentences.push_back(counted(told.icmp_errors, "ICMP error") + " about it arrived.");
  const std::string words = fmt::format("{}", fmt::join(sentences, " "));
  for (const std::string& line : wrap(words, style_.width - 2)) out_ << "  " << line << "\n";
  tell_diagnoses(told);
  out_ << "\n";
  tell_ladder(told);
}

void CaptureStory::tell_diagnoses(const Told& told) const {
  capture::ConversationFacts facts = told.facts;
  facts.around = around(told);
  for (const Diagnosis& diagnosis : diagnoses(told.conversation, facts)) {
    if (!options_.is_scenario(diagnosis.scenario)) continue;
    const std::string text = fmt::format("{} like {}: {}. See it happen: tcplab run --live {}",
                                         diagnosis.is_second ? "Or" : "It looks",
                                         diagnosis.scenario, diagnosis.because, diagnosis.scenario);
    for (const std::string& line : wrap(text, style_.width - 2)) out_ << "  " << line << "\n";
  }
}

void CaptureStory::tell_ladder(const Told& told) const {
  Ladder ladder(out_, style_, LadderParts::rows_only);
  const capture::Instant start = instant(0);
  for (const std::size_t end : {0, 1}) {
    const auto& address = told.conversation.end(end).address;
    ladder.event(
        {.number = 0,
         .at = start,
         .body = capture::HostUp{.host = address.to_string(), .incarnation = 1, .interfaces = {}}});
  }
  Segments classified;
  for (const auto& [event, traits] : told.first) expect(classified, event, traits);
  for (const auto& [event, traits] : told.last) expect(classified, event, traits);
  ladder.know(classified);
  for (const Kept& kept : told.first) ladder.event(since(first_at_, kept.event));
  if (told.left_out > 0)
    ladder.event(
        {.number = 0,
         .at = since(first_at_, told.first.back().event).at,
         .body = capture::Note{.text = fmt::format("{} more events are left out", told.left_out)}});
  for (const Kept& kept : told.last) ladder.event(since(first_at_, kept.event));
  ladder.finish();
}

}  // namespace tcplab::reports
