#include "reports/explain/connection_events.hh"

#include <fmt/format.h>
#include <optional>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Event;

namespace {

constexpr std::int64_t kSilence = 1'000'000'000;  // nanoseconds: worth saying

class EventList {
public:
  EventList(const Followed& followed, const Roles& roles, std::int64_t first_at)
      : talk_(followed.conversation), roles_(roles), first_at_(first_at) {}

  void add_hosts() {
    for (const std::size_t end : {roles_.first(), 1 - roles_.first()})
      add(capture::Instant{},
          capture::HostUp{
              .host = roles_.short_name(end),
              .incarnation = 1,
              .interfaces = {
                  {.name = "", .mac = "", .addresses = {talk_.end(end).address.to_string()}}}});
  }

  void add_frame(const LadderFrame& kept) {
    if (last_ && kept.ordinal > last_->ordinal + 1) add_left_out(kept);
    capture::Packet packet = std::get<capture::Packet>(kept.packet.body);
    const bool is_from_router = packet.from.empty();
    packet.from = is_from_router ? "" : roles_.short_name(kept.sender);
    packet.to = roles_.short_name(1 - kept.sender);
    packet.sent = since(packet.sent);
    if (packet.delivered) packet.delivered = packet.sent;
    const capture::Instant at = packet.sent;
    add(at, std::move(packet));
    for (const Event& event : kept.states) {
      capture::State state = std::get<capture::State>(event.body);
      state.host = roles_.short_name(state.local == talk_.end(0).address ? 0 : 1);
      add(at, std::move(state));
    }
    last_ = &kept;
  }

  /// Adds what the last frame leaves open.
  void add_ending(std::int64_t ends_at) {
    const std::int64_t silence = ends_at - talk_.last_at();
    if (talk_.reset().kind == capture::ResetKind::gave_up && last_)
      add(since(last_->packet.at),
          capture::Note{fmt::format("{} did not answer: whether it still has the connection is not "
                                    "known",
                                    roles_.name(1 - talk_.reset().by))});
    if (talk_.states().is_over() || talk_.reset().kind != capture::ResetKind::none ||
        silence < kSilence)
      return;
    add(capture::Instant{} + capture::nanoseconds(ends_at - first_at_),
        capture::Note{fmt::format("the capture ends, {} after the last frame of this connection",
                                  duration(silence))});
  }

  std::vector<Event> take() { return std::move(events_); }

private:
  capture::Instant since(capture::Instant at) const { return at - capture::nanoseconds(first_at_); }

  void add(capture::Instant at, capture::Body body) {
    events_.push_back({.number = events_.size() + 1, .at = at, .body = std::move(body)});
  }

  void add_left_out(const LadderFrame& next) {
    for (const std::size_t end : {roles_.first(), 1 - roles_.first()}) {
      const std::uint64_t own = last_->sender == end ? 1 : 0;
      const std::uint64_t frames = next.frames_before.at(end) - last_->frames_before.at(end) - own;
      const auto& last = std::get<capture::Packet>(last_->packet.body);
      const std::uint64_t octets = next.octets_before.at(end) - last_->octets_before.at(end) -
                                   (own != 0 && last.protocol == "TCP" ? last.length : 0);
      if (frames == 0) continue;
      add(since(next.previous_at), capture::Flood{.from = roles_.short_name(end),
                                                  .to = roles_.short_name(1 - end),
                                                  .frames = frames,
                                                  .bytes = octets,
                                                  .span = next.previous_at - last_->packet.at});
    }
  }

  const capture::Conversation& talk_;
  const Roles& roles_;
  std::int64_t first_at_;
  const LadderFrame* last_ = nullptr;
  std::vector<Event> events_;
};

std::vector<LadderFrame> frames_of(const Followed& followed) {
  return followed.events ? followed.events->frames() : std::vector<LadderFrame>();
}

}  // namespace

std::vector<Event> events_of(const Followed& followed, const Roles& roles, std::int64_t first_at,
                             std::int64_t ends_at) {
  EventList list(followed, roles, first_at);
  list.add_hosts();
  const std::vector<LadderFrame> frames = frames_of(followed);
  for (const LadderFrame& kept : frames) list.add_frame(kept);
  list.add_ending(ends_at);
  return list.take();
}

Segments segments_of(const Followed& followed) {
  Segments segments;
  for (const LadderFrame& kept : frames_of(followed))
    if (const auto* packet = std::get_if<capture::Packet>(&kept.packet.body))
      segments.expect(packet->frame, kept.traits);
  return segments;
}

}  // namespace tcplab::reports
