#include "scenarios/engine/audit/baseline.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fmt/format.h>
#include <set>

#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::engine {

using capture::Event;
using capture::ProgramChange;
using namespace std::chrono_literals;

namespace {

constexpr const char* kClient = "client";  // names of hosts and programs in audit.lib.lua
constexpr const char* kServer = "server";
constexpr base::nanoseconds kPause = 200ms;  // longer than a delayed acknowledgment
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

template <typename Body>
std::vector<const Body*> all_of(const std::vector<Event>& events) {
  std::vector<const Body*> found;
  for (const Event& event : events)
    if (const auto* body = std::get_if<Body>(&event.body)) found.push_back(body);
  return found;
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

/// When the client sent its first segment; nothing if it sent none.
std::optional<base::Instant> first_sent(const std::vector<Event>& events) {
  for (const auto* packet : all_of<capture::Packet>(events))
    if (packet->protocol == "TCP" && packet->from == kClient) return packet->sent;
  return std::nullopt;
}

bool is_end(ProgramChange change) {
  return change == ProgramChange::exited || change == ProgramChange::killed;
}

/// The end of a program; null if it runs on.
const capture::Program* end_of(const std::vector<Event>& events, const std::string& program) {
  for (const auto* each : all_of<capture::Program>(events))
    if (each->host == program && each->program == program && is_end(each->change)) return each;
  return nullptr;
}

bool has_started(const std::vector<Event>& events, const std::string& program) {
  return std::ranges::any_of(all_of<capture::Program>(events), [&](const auto* each) {
    return each->program == program && each->change == ProgramChange::started;
  });
}

/// The last line that the program wrote, after ": "; empty if none.
std::string last_words(const std::vector<Event>& events, const std::string& program) {
  std::string written;
  for (const auto* each : all_of<capture::Program>(events))
    if (each->program == program && each->change == ProgramChange::wrote) written += each->text;
  while (!written.empty() && (written.back() == '\n' || written.back() == '\r')) written.pop_back();
  if (written.empty()) return ", and printed nothing";
  return ": " + written.substr(written.rfind('\n') + 1);
}

std::string how_ended(const capture::Program& end) {
  if (end.change == ProgramChange::killed) return "was killed by " + base::signal_name(end.code);
  return "exited with status " + std::to_string(end.code);
}

/// The ports that the server's host listens on.
std::set<base::Endpoint> listeners_of(const std::vector<Event>& events) {
  std::set<base::Endpoint> all;
  for (const auto* state : all_of<capture::State>(events))
    if (state->host == kServer && state->to == capture::TcpState::listen) all.insert(state->local);
  return all;
}

std::string shown(std::uint16_t port) {
  return port == 0 ? "its port" : "port " + std::to_string(port);
}

/// What the server did wrong before the client started.
std::string problem_of_server(const std::vector<Event>& events, std::uint16_t port) {
  for (const auto* call : all_of<capture::Call>(events))
    if (call->host == kServer && call->call == "bind" && call->error == EADDRINUSE)
      return fmt::format(
          "bind({}) fails with EADDRINUSE: another program of the script listens "
          "on this port; give each a port of its own",
          call->arguments);
  if (const auto* end = end_of(events, kServer))
    return fmt::format("the server {} before it listened on {}{}", how_ended(*end), shown(port),
                       last_words(events, kServer));
  const std::set<base::Endpoint> listeners = listeners_of(events);
  if (listeners.empty())
    return fmt::format("the server does not listen on {}, nor on another{}", shown(port),
                       last_words(events, kServer));
  const std::string seen = listeners.begin()->to_string();
  return fmt::format("the server does not listen on {}, but on {}; use --port {}", shown(port),
                     seen, listeners.begin()->port);
}

/// 127.0.0.0/8 or ::1 (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
bool is_loopback(const base::IpAddress& address) {
  constexpr std::uint8_t kLoopback = 127;
  return address.family == base::Family::ipv4 ? address.bytes[0] == kLoopback
                                              : address == *base::IpAddress::parse("::1");
}

/// A server that its own host alone can reach; empty if others can, too.
std::string loopback_problem(const std::vector<Event>& events, std::uint16_t port) {
  std::string seen;
  for (const base::Endpoint& listener : listeners_of(events)) {
    if (port != 0 && listener.port != port) continue;
    if (!is_loopback(listener.address)) return "";
    seen = listener.to_string();
  }
  if (seen.empty()) return "";
  return fmt::format(
      "the server listens on {} only, where no other host can reach it; let it listen on all "
      "addresses (0.0.0.0 or ::), by its options or its configuration",
      seen);
}

/// Whether the client had a connection to the server's port.
bool has_connected(const std::vector<Event>& events, std::uint16_t port) {
  return std::ranges::any_of(all_of<capture::State>(events), [&](const auto* state) {
    return state->host == kClient && (port == 0 || state->remote.port == port) &&
           state->to == capture::TcpState::established;
  });
}

/// The last address that the client tried to connect to; empty if it did not try.
std::optional<base::Endpoint> tried(const std::vector<Event>& events) {
  std::optional<base::Endpoint> last;
  for (const auto* call : all_of<capture::Call>(events))
    if (call->host == kClient && call->call == "connect" && call->remote) last = call->remote;
  return last;
}

std::string problem_of_client(const std::vector<Event>& events, std::uint16_t port) {
  const auto* end = end_of(events, kClient);
  if (has_connected(events, port)) {
    if (end == nullptr || (end->change == ProgramChange::exited && end->code == 0)) return "";
    return "the client fails even without a failure: it " + how_ended(*end) +
           last_words(events, kClient);
  }
  if (std::string problem = loopback_problem(events, port); !problem.empty()) return problem;
  const auto address = tried(events);
  const std::string where = address
                                ? ", but tried " + address->to_string() + "; does it ignore SERVER?"
                                : ", and tried no other; does it need SERVER in its words?";
  if (end == nullptr)
    return fmt::format("the client never connected to {} of the server{}", shown(port), where);
  if (end->change == ProgramChange::exited && end->code == 0)
    return fmt::format("the client succeeds without connecting to {} of the server{}", shown(port),
                       where);
  return fmt::format("the client {} before it connected to {} of the server{}", how_ended(*end),
                     shown(port), last_words(events, kClient));
}

}  // namespace

Baseline measure(const std::vector<Event>& events) {
  Baseline found;
  base::Instant started{};
  for (const Event& event : events) {
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

std::string problem_of(const std::vector<Event>& events, std::uint16_t port) {
  return has_started(events, kClient) ? problem_of_client(events, port)
                                      : problem_of_server(events, port);
}

std::map<std::string, std::string> parameters_of(const Baseline& baseline) {
  const auto seconds = base::in_seconds(baseline.duration);
  return {{"baseline", baseline.ends ? "ends" : "waits"},
          {"status", std::to_string(baseline.status)},
          {"answer", baseline.answer},
          {"duration", std::to_string(seconds)},
          {"connection_duration", std::to_string(base::in_seconds(baseline.connection_duration))},
          {"request_bytes", std::to_string(baseline.request_bytes)},
          {"acknowledged_first", baseline.is_acknowledged_first ? "yes" : "no"},
          {"read_first", baseline.is_read_first ? "yes" : "no"},
          {"transfer_bytes", std::to_string(baseline.transfer_bytes)},
          {"transfer_to", baseline.transfer_to_client ? "client" : "server"},
          {"idle_bytes", std::to_string(baseline.idle_bytes)},
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

}  // namespace tcplab::engine
