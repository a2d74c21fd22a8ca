#include "tests/reports/sample_run.hh"

#include <cerrno>

#include "base/error.hh"

namespace tcplab::reports::tests {

namespace {

constexpr std::int64_t kBoot = 1'000'000'000'000;  // ns; no run starts at time zero
constexpr std::uint32_t kKangFirst = 0xfffffff0;   // wraps within the first bytes
constexpr std::uint32_t kKodosFirst = 7'000'000;
constexpr SampleRun::Time kCallTime{3};
constexpr SampleRun::Time kWireTime{40};

capture::Endpoint endpoint(const char* text) { return *capture::Endpoint::parse(text); }

const capture::Endpoint kKang = endpoint("10.0.0.1:40000");
const capture::Endpoint kKodos = endpoint("10.0.0.2:8080");

}  // namespace

SampleRun& SampleRun::at(Time since_start) {
  now_ = since_start;
  return *this;
}

SampleRun& SampleRun::later(Time span) {
  now_ += span;
  return *this;
}

SampleRun& SampleRun::add(capture::Body body) {
  const auto at = base::from_nanoseconds(kBoot) + now_;
  events_.push_back({events_.size() + 1, at, std::move(body)});
  return *this;
}

SampleRun& SampleRun::start(capture::RunStart run) {
  run.timers = "fast";
  run.kernel = "6.18.5";
  run.tags = {"puzzlers"};
  return add(std::move(run));
}

SampleRun& SampleRun::host(const std::string& name, const std::string& address, int incarnation) {
  return add(capture::HostUp{name, incarnation, {{"eth0", "02:00:00:00:00:01", {address}}}});
}

SampleRun& SampleRun::hosts() { return host("kang", "10.0.0.1").host("kodos", "10.0.0.2"); }

SampleRun& SampleRun::enter(const std::string& host, const std::string& call, int fd) {
  capture::Call entry;
  entry.host = host;
  entry.program = host == "kang" ? "dnc-2" : "dnc";
  entry.pid = host == "kang" ? 102 : 101;
  entry.id = ++calls_;
  entry.call = call;
  entry.fd = fd;
  if (call == "getsockopt") entry.arguments = "SOL_SOCKET, SO_ERROR";
  if (call == "listen") entry.arguments = "128";
  if (call == "connect") entry.remote = kKodos;
  return add(entry);
}

SampleRun& SampleRun::leave(const std::string& host, const std::string& call, int fd, long result,
                            int error, const std::string& data) {
  // The latest entry of that call on that host.
  const capture::Call* entry = nullptr;
  capture::Instant entered{};
  for (const Event& event : events_) {
    const auto* candidate = std::get_if<capture::Call>(&event.body);
    if (candidate == nullptr || candidate->host != host || candidate->call != call) continue;
    entry = candidate;
    entered = event.at;
  }
  capture::Call returned = *entry;
  returned.phase = capture::CallPhase::leave;
  returned.entered = entered;
  returned.fd = fd;
  returned.result = result;
  returned.error = error;
  returned.data = data;
  if (call == "accept" && result >= 0) returned.remote = kKang;
  return add(returned);
}

SampleRun& SampleRun::call(const std::string& host, const std::string& name, int fd, long result,
                           int error, const std::string& data) {
  enter(host, name, fd).later(kCallTime);
  return leave(host, name, fd, result, error, data).later(kCallTime);
}

SampleRun& SampleRun::poll_returns(const std::string& host, int revents, int stdin_revents) {
  leave(host, "poll", -1, (revents != 0) + (stdin_revents != 0));
  auto& returned = std::get<capture::Call>(events_.back().body);
  returned.revents = revents;
  returned.stdin_revents = stdin_revents;
  return later(kCallTime);
}

SampleRun& SampleRun::state(const std::string& host, TcpState from, TcpState to,
                            capture::StateCause cause) {
  capture::State state;
  state.host = host;
  state.local = host == "kang" ? kKang : kKodos;
  state.remote = host == "kang" ? kKodos : kKang;
  state.from = from;
  state.to = to;
  state.cause = cause;
  if (cause == capture::StateCause::frame) state.frame = frames_;
  return add(state);
}

capture::Packet SampleRun::packet(const std::string& from, const std::string& flags,
                                  unsigned sequence, unsigned acknowledgment, unsigned length) {
  const bool is_kang = from == "kang";
  capture::Packet packet;
  packet.frame = ++frames_;
  packet.from = from;
  packet.to = is_kang ? "kodos" : "kang";
  packet.sent = base::from_nanoseconds(kBoot) + now_;
  packet.protocol = "TCP";
  packet.source = is_kang ? kKang : kKodos;
  packet.destination = is_kang ? kKodos : kKang;
  packet.flags = flags;
  packet.sequence = (is_kang ? kKangFirst : kKodosFirst) + sequence;
  if (flags.find('.') != std::string::npos)
    packet.acknowledgment = (is_kang ? kKodosFirst : kKangFirst) + acknowledgment;
  packet.window = 502;
  packet.length = length;
  return packet;
}

SampleRun& SampleRun::frame(const std::string& from, const std::string& flags, unsigned sequence,
                            unsigned acknowledgment, unsigned length) {
  capture::Packet sent = packet(from, flags, sequence, acknowledgment, length);
  sent.delivered = sent.sent + kWireTime;
  return add(sent).later(kWireTime);
}

SampleRun& SampleRun::lose(const std::string& from, const std::string& flags, unsigned sequence,
                           unsigned acknowledgment, unsigned length, const std::string& fault) {
  return lose(from, flags, sequence, acknowledgment, length,
              {.kind = capture::EffectKind::lost, .fault = capture::FaultRule{.name = fault}});
}

SampleRun& SampleRun::lose(const std::string& from, const std::string& flags, unsigned sequence,
                           unsigned acknowledgment, unsigned length,
                           const capture::Effect& effect) {
  capture::Packet sent = packet(from, flags, sequence, acknowledgment, length);
  sent.fate = capture::Fate::lost;
  sent.effects = {effect};
  return add(sent).later(kWireTime);
}

SampleRun& SampleRun::action(capture::Action action) {
  action.line = 9;
  return add(std::move(action));
}

SampleRun& SampleRun::action(const std::string& host, capture::ActionVerb verb,
                             const std::string& program, const std::string& text) {
  return action({.host = host, .verb = verb, .program = program, .text = text});
}

SampleRun& SampleRun::verdict(bool passed, const std::string& expected, const std::string& seen,
                              const std::string& code) {
  capture::Verdict verdict;
  verdict.passed = passed;
  verdict.expected = expected;
  verdict.seen = seen;
  verdict.script = "scenarios/puzzlers/power-cycle.lua";
  verdict.line = 14;
  verdict.code = code;
  return add(verdict);
}

SampleRun& SampleRun::end(capture::Outcome outcome) {
  return add(capture::RunEnd{outcome, "", now_});
}

}  // namespace tcplab::reports::tests
