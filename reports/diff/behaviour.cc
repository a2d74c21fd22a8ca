#include "reports/diff/behaviour.hh"

#include <fmt/format.h>

#include "base/error.hh"
#include "reports/text/state_text.hh"

namespace tcplab::reports {

using capture::TcpState;

namespace {

constexpr std::size_t kMostLines = 20000;  // of one stream
constexpr std::size_t kMostConnections = 4096;
constexpr std::size_t kMostRecent = 256;
// Programs that a frame or a verdict wakes, pipes that tell of calls, the slow poll of states: all
// came within 50 ms of the run's end in 226 runs on a busy machine.
constexpr capture::nanoseconds kTimeEnough = std::chrono::milliseconds(500);
constexpr char kVerdicts[] = "verdicts";

std::string answer_of(const capture::Call& call) {
  if (call.result < 0) return fmt::format("{} fails {}", call.call, base::errno_name(call.error));
  if (call.call == "poll")
    return fmt::format("poll = {} {}", call.result, capture::poll_events(call.revents));
  if (call.call == "getsockopt" && call.error != 0)
    return fmt::format("getsockopt gives {}", base::errno_name(call.error));
  const bool makes_descriptor = call.call == "socket" || call.call == "accept";
  return makes_descriptor ? call.call : fmt::format("{} = {}", call.call, call.result);
}

/// Out of CLOSED nobody comes to SYN_RECV (RFC 9293 figure 5): the listener is there, whether it
/// was seen before or not.
TcpState origin_of(const capture::State& state) {
  const bool is_opened = state.from == TcpState::closed && state.to == TcpState::syn_recv;
  return is_opened ? TcpState::listen : state.from;
}

}  // namespace

void BehaviourLines::add(std::string line, capture::Instant at) {
  if (!lines.empty() && lines.back() == line) {
    ++counts.back();
  } else if (lines.size() == kMostLines) {
    is_cut = true;
    return;
  } else {
    lines.push_back(std::move(line));
    counts.push_back(1);
  }
  recent_.emplace_back(at, Position{lines.size(), counts.back()});
  forget(at - kTimeEnough);
}

void BehaviourLines::forget(capture::Instant before) {
  while (!recent_.empty() && (recent_.front().first < before || recent_.size() > kMostRecent)) {
    older_ = recent_.front().second;
    recent_.pop_front();
  }
}

void BehaviourLines::mark(capture::Instant at) {
  forget(at - kTimeEnough);
  settled = older_;
  sure = lines.empty() ? Position{0, 0} : Position{lines.size(), counts.back()};
}

std::uint64_t BehaviourLines::times(std::size_t line, const Position& by) const {
  if (line >= by.lines) return 0;
  return line + 1 == by.lines ? by.times : counts[line];
}

std::string BehaviourLines::text(std::size_t line) const {
  return counts[line] == 1 ? lines[line] : fmt::format("{} ({} times)", lines[line], counts[line]);
}

void Behaviour::event(const capture::Event& event) {
  now_ = event.at;
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) run_ = *run;
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) end_ = *end;
  if (const auto* up = std::get_if<capture::HostUp>(&event.body)) names_.learn(*up);
  if (const auto* call = std::get_if<capture::Call>(&event.body)) note(*call);
  if (const auto* packet = std::get_if<capture::Packet>(&event.body)) note(*packet);
  if (const auto* program = std::get_if<capture::Program>(&event.body)) note(*program);
  if (const auto* state = std::get_if<capture::State>(&event.body); state && !is_listener(*state))
    add("states of " + state->host,
        fmt::format("{} to {}", name(origin_of(*state)), name(state->to)));
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body)) note(*verdict);
}

void Behaviour::add(const std::string& title, std::string line) {
  const auto [found, is_new] = lines_.try_emplace(title);
  if (is_new && verdict_at_) found->second.mark(*verdict_at_);
  found->second.add(std::move(line), now_);
}

// Which verdicts a run came to is no race: these are never marked.
void Behaviour::note(const capture::Verdict& verdict) {
  verdict_at_ = now_;
  for (auto& [title, lines] : lines_)
    if (title != kVerdicts) lines.mark(now_);
  lines_[kVerdicts].add((verdict.passed ? "met: " : "not met: ") +
                            (verdict.code.empty() ? verdict.expected : verdict.code),
                        now_);
}

void Behaviour::note(const capture::Call& call) {
  if (call.phase == capture::CallPhase::enter || is_boring(call)) return;
  add(fmt::format("calls of {}'s {}", call.host, call.program), answer_of(call));
}

void Behaviour::note(const capture::Program& program) {
  const std::string stream = fmt::format("end of {}'s {}", program.host, program.program);
  if (program.change == capture::ProgramChange::exited)
    add(stream, fmt::format("exits with status {}", program.code));
  if (program.change == capture::ProgramChange::killed)
    add(stream, "is killed by " + base::signal_name(program.code));
}

/// All of it was sent before. Counts as sent what the segment has.
bool Behaviour::is_sent_again(const capture::Packet& packet) {
  const auto has = [&](char flag) { return packet.flags.find(flag) != std::string::npos; };
  // RFC 9293 section 3.4: SYN and FIN take room in sequence space; compared modulo 2^32.
  const std::uint32_t size = packet.length + (has('S') ? 1U : 0U) + (has('F') ? 1U : 0U);
  if (size == 0) return false;
  const std::pair key(packet.source, packet.destination);
  if (sent_.size() == kMostConnections && !sent_.contains(key)) return false;
  const auto [known, is_new] = sent_.try_emplace(key, Sent{packet.sequence, packet.sequence});
  // A SYN with another number begins a new life of the same pair (section 3.4.3).
  if (has('S') && known->second.first != packet.sequence)
    known->second = {packet.sequence, packet.sequence};
  const std::uint32_t end = packet.sequence + size;
  if (static_cast<std::int32_t>(end - known->second.next) <= 0) return true;
  known->second.next = end;
  return false;
}

void Behaviour::note(const capture::Packet& packet) {
  std::string line = packet.protocol;
  if (packet.protocol == "TCP") {
    line = packet.flags == "." && packet.length == 0 ? "ACK" : "TCP " + packet.flags;
    if (packet.length > 0) line += fmt::format(" data {}", packet.length);
    if (is_sent_again(packet)) line += " again";
  }
  const bool comes_later =
      packet.fate == capture::Fate::held || packet.fate == capture::Fate::delayed;
  if (comes_later) return;
  if (packet.fate == capture::Fate::lost) line += ", lost";
  add(fmt::format("frames {} > {}", packet.from.empty() ? "nobody" : packet.from,
                  packet.to.empty() ? "all" : packet.to),
      line);
}

}  // namespace tcplab::reports
