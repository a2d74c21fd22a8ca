#include "reports/diff/behaviour.hh"

#include <fmt/format.h>

#include "base/error.hh"
#include "reports/text/state_text.hh"

namespace tcplab::reports {

using capture::TcpState;

namespace {

constexpr std::size_t kMostLines = 20000;  // of one stream
constexpr std::size_t kMostRecent = 256;
// Calls of programs that a frame or a verdict wakes, events from pipes, and the slow poll of states
// all came within 50 ms of the run's end in 226 runs on a busy machine.
constexpr capture::nanoseconds kTimeEnough = std::chrono::milliseconds(500);
constexpr char kVerdicts[] = "verdicts";

std::string kernel_answer(const capture::Call& call) {
  if (call.result < 0) return fmt::format("{} fails {}", call.call, base::errno_name(call.error));
  if (call.call == "poll")
    return fmt::format("poll = {} {}", call.result, capture::poll_events(call.revents));
  if (call.call == "getsockopt" && call.error != 0)
    return fmt::format("getsockopt gives {}", base::errno_name(call.error));
  const bool gives_number =  // of a descriptor or a process: any will do
      call.call == "socket" || call.call == "accept" || call.call == "fork";
  return gives_number ? call.call : fmt::format("{} = {}", call.call, call.result);
}

std::string answer_of(const capture::Call& call) {
  const bool is_changed = call.injected || call.injected_delay.count() != 0;
  return kernel_answer(call) + (is_changed ? ", injected" : "");
}

/// SYN_RECV is not reached from CLOSED (RFC 9293 Figure 5): there is a listener, seen or not.
TcpState origin_of(const capture::State& state) {
  const bool is_opened = state.from == TcpState::closed && state.to == TcpState::syn_recv;
  return is_opened ? TcpState::listen : state.from;
}

}  // namespace

void BehaviourLines::add(std::string line, capture::Instant at, std::string shown) {
  if (!lines.empty() && lines.back() == line && shown.empty()) {
    ++counts.back();
  } else if (lines.size() == kMostLines) {
    is_cut = true;
    return;
  } else {
    if (!shown.empty()) words.emplace(lines.size(), std::move(shown));
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

std::string BehaviourLines::in_words(std::size_t line) const {
  const auto found = words.find(line);
  return found == words.end() ? text(line) : found->second;
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
  if (const auto* other = std::get_if<capture::Unchecked>(&event.body)) note(*other);
}

void Behaviour::add(const std::string& title, std::string line) {
  const auto [found, is_new] = lines_.try_emplace(title);
  if (is_new && verdict_at_) found->second.mark(*verdict_at_);
  found->second.add(std::move(line), now_);
}

// Verdicts are no race: their list is never marked. Their words may have times that differ between
// two runs, so the code of the script is what is compared.
void Behaviour::add_verdict(const std::string& what, const std::string& code,
                            const std::string& expected) {
  lines_[kVerdicts].add(what + (code.empty() ? expected : code), now_, what + expected);
}

void Behaviour::note(const capture::Verdict& verdict) {
  verdict_at_ = now_;
  for (auto& [title, lines] : lines_)
    if (title != kVerdicts) lines.mark(now_);
  add_verdict(verdict.passed ? "met: " : "not met: ", verdict.code, verdict.expected);
}

void Behaviour::note(const capture::Unchecked& unchecked) {
  add_verdict("not checked: ", unchecked.code, unchecked.expected);
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

std::string Behaviour::segment_line(const capture::Packet& packet) {
  using capture::SegmentTrait;
  const capture::SegmentTraits traits = tracker_.note(packet).traits;
  std::string line = packet.flags == "." && packet.length == 0 ? "ACK" : "TCP " + packet.flags;
  if (packet.length > 0) line += fmt::format(" data {}", packet.length);
  if (traits.has(SegmentTrait::retransmission)) line += " retransmission";
  if (traits.has(SegmentTrait::keepalive_probe)) line += " keepalive probe";
  if (traits.has(SegmentTrait::window_probe)) line += " window probe";
  return line;
}

void Behaviour::note(const capture::Packet& packet) {
  std::string line = packet.protocol == "TCP" ? segment_line(packet) : packet.protocol;
  const bool comes_later =
      packet.fate == capture::Fate::held || packet.fate == capture::Fate::delayed;
  if (comes_later) return;
  if (packet.fate == capture::Fate::lost) line += ", lost";
  add(fmt::format("frames {} > {}", packet.from.empty() ? "nobody" : packet.from,
                  packet.to.empty() ? "all" : packet.to),
      line);
}

}  // namespace tcplab::reports
