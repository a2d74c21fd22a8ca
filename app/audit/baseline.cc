#include "app/audit/baseline.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "app/audit/baseline_events.hh"
#include "capture/event/call_names.hh"
#include "capture/event/event_words.hh"

namespace tcplab::app {

using capture::Event;
using capture::ProgramChange;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kPause = 200ms;  // longer than a delayed acknowledgment
constexpr base::nanoseconds kLate = 100ms;   // between a request and its answer
constexpr std::uint32_t kSlack = 8;          // an eighth of a segment
constexpr int kLeastTransfer = 4;            // segments: fewer have no middle

/// A data segment that was delivered to one of the two ends.
struct Segment {
  bool to_client = false;
  base::Instant sent{};
  std::uint32_t length = 0;  // bytes of data
};

/// Returns how many bytes an end has sent when it has sent `before` and almost all of a segment.
/// Another run may send some bytes less: a number has fewer digits.
std::uint64_t almost_end_of(const Segment& segment, std::uint64_t before) {
  return before + segment.length - segment.length / kSlack;
}

std::vector<Segment> segments_of(const std::vector<Event>& events) {
  std::vector<Segment> all;
  for (const auto* packet : all_of<capture::Packet>(events)) {
    if (packet->protocol != "TCP" || packet->length == 0) continue;
    if (packet->to == kClient) all.push_back({true, packet->sent, packet->length});
    if (packet->from == kClient) all.push_back({false, packet->sent, packet->length});
  }
  return all;
}

/// The client's last segment before its longest wait for data. The server may have sent something
/// in between: sshd says that it has started the command, whose output comes later.
void find_request(const std::vector<Segment>& segments, Baseline& found) {
  base::nanoseconds longest{-1};
  int number = 0;
  std::uint64_t bytes = 0;
  std::uint64_t almost_end = 0;
  const auto note_wait = [&](base::nanoseconds wait) {
    if (wait <= longest) return;
    longest = wait;
    found.answers_late = wait >= kLate;
    found.request = number;
    found.request_bytes = almost_end;
    found.has_request = true;
  };
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].to_client) {
      if (number > 0) note_wait(segments[i].sent - segments[i - 1].sent);
      continue;
    }
    ++number;
    almost_end = almost_end_of(segments[i], bytes);
    bytes += segments[i].length;
  }
  if (!segments.empty() && !segments.back().to_client) note_wait(found.ends ? 0ns : 24h);
}

/// Whether the first segment that the client gets after its request has no data.
bool is_acknowledged_first(const std::vector<Event>& events, int request) {
  int number = 0;
  for (const auto* packet : all_of<capture::Packet>(events)) {
    if (packet->protocol != "TCP") continue;
    if (packet->from == kClient && packet->length != 0) ++number;
    if (packet->to == kClient && number >= request) return packet->length == 0;
  }
  return false;
}

/// Whether the server was seen to read between the request and the next data to the client.
bool is_read_first(const std::vector<Event>& events, const std::vector<Segment>& segments,
                   int request) {
  std::optional<base::Instant> sent;
  base::Instant answered = base::Instant::max();
  int number = 0;
  for (const Segment& segment : segments) {
    if (!segment.to_client && ++number == request) sent = segment.sent;
    if (!segment.to_client || !sent) continue;
    answered = segment.sent;
    break;
  }
  if (!sent) return false;
  return std::ranges::any_of(events, [&](const Event& event) {
    const auto* call = std::get_if<capture::Call>(&event.body);
    return call != nullptr && call->host == kServer && call->program == kServer &&
           capture::receives_data(call->call) && call->phase == capture::CallPhase::leave &&
           call->result > 0 && event.at > *sent && event.at < answered;
  });
}

/// The longest series of segments in one direction.
void find_transfer(const std::vector<Segment>& segments, Baseline& found) {
  std::uint64_t before[2] = {0, 0};  // bytes of the earlier series, for each direction
  int longest = kLeastTransfer - 1;
  for (std::size_t i = 0; i < segments.size();) {
    const bool to_client = segments[i].to_client;
    int count = 0;
    std::uint64_t bytes = 0;
    for (; i < segments.size() && segments[i].to_client == to_client; ++i, ++count)
      bytes += segments[i].length;
    std::uint64_t& earlier = before[to_client ? 1 : 0];
    if (count > longest) {
      longest = count;
      found.transfer_bytes = earlier + bytes / 2;
      found.transfer_to_client = to_client;
    }
    earlier += bytes;
  }
}

/// The longest pause between an answer and the next request.
void find_idle(const std::vector<Segment>& segments, Baseline& found) {
  base::nanoseconds longest = kPause;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    if (!segments[i].to_client) continue;
    const std::uint64_t almost_end = almost_end_of(segments[i], bytes);
    bytes += segments[i].length;
    const base::nanoseconds pause = segments[i + 1].sent - segments[i].sent;
    if (segments[i + 1].to_client || pause <= longest) continue;
    longest = pause;
    found.idle_bytes = almost_end;
  }
}

/// What comes after the command of --after is not how the client behaves without it.
std::vector<Event> before_command(const std::vector<Event>& events) {
  const auto command = std::ranges::find_if(events, [](const Event& event) {
    const auto* note = std::get_if<capture::AuditNote>(&event.body);
    return note != nullptr && note->step == capture::AuditStep::after;
  });
  return {events.begin(), command};
}

/// When the client sent its first segment; nothing if it sent none.
std::optional<base::Instant> first_sent(const std::vector<Event>& events) {
  for (const auto* packet : all_of<capture::Packet>(events))
    if (packet->protocol == "TCP" && packet->from == kClient) return packet->sent;
  return std::nullopt;
}

}  // namespace

Baseline measure(const std::vector<Event>& all) {
  Baseline found;
  for (const auto* note : all_of<capture::AuditNote>(all))
    if (note->step == capture::AuditStep::judged) found.reaction = note->reaction;
  const std::vector<Event> events = before_command(all);
  base::Instant started{};
  for (const Event& event : events) {
    if (const auto* note = std::get_if<capture::AuditNote>(&event.body);
        note != nullptr && note->step == capture::AuditStep::begins)
      found.limit = note->limit;
    const auto* program = std::get_if<capture::Program>(&event.body);
    if (program == nullptr || program->host != kClient || program->program != kClient) continue;
    if (program->change == ProgramChange::started) started = event.at;
    if (program->change == ProgramChange::wrote && program->stream == "stdout")
      found.answer += program->text;
    if (!is_end(program->change)) continue;
    found.ends = true;
    found.status = program->code;
    found.duration = event.at - started;
    found.connection_duration = event.at - first_sent(events).value_or(started);
  }
  const std::vector<Segment> segments = segments_of(events);
  find_request(segments, found);
  found.is_acknowledged_first = is_acknowledged_first(events, found.request);
  found.is_read_first = is_read_first(events, segments, found.request);
  find_transfer(segments, found);
  find_idle(segments, found);
  return found;
}

std::map<std::string, std::string> parameters_of(const Baseline& baseline) {
  const auto seconds = base::in_seconds(baseline.duration);
  return {{"baseline", baseline.ends ? "ends" : "waits"},
          {"status", std::to_string(baseline.status)},
          {"answer", baseline.answer},
          {"masked", baseline.is_masked ? "yes" : "no"},
          {"duration", std::to_string(seconds)},
          {"connection_duration", std::to_string(base::in_seconds(baseline.connection_duration))},
          {"request_bytes", std::to_string(baseline.request_bytes)},
          {"acknowledged_first", baseline.is_acknowledged_first ? "yes" : "no"},
          {"answers_late", baseline.answers_late ? "yes" : "no"},
          {"read_first", baseline.is_read_first ? "yes" : "no"},
          {"transfer_bytes", std::to_string(baseline.transfer_bytes)},
          {"transfer_to", baseline.transfer_to_client ? "client" : "server"},
          {"idle_bytes", std::to_string(baseline.idle_bytes)},
          {"reaction", baseline.reaction ? std::string(capture::word(*baseline.reaction)) : ""},
          {"patience", std::to_string(60 + 2 * seconds)}};
}

std::string obstacle_to(const std::string& moment, const Baseline& baseline) {
  if ((moment == "request-sent" || moment == "waiting") && !baseline.has_request)
    return "the client sends no request";
  if (moment == "transfer" && baseline.transfer_bytes == 0)
    return fmt::format("no transfer has {} segments", kLeastTransfer);
  if (moment == "idle" && baseline.idle_bytes == 0)
    return "the client makes no second request on its connection";
  return "";
}

}  // namespace tcplab::app
