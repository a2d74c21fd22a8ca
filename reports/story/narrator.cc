#include "reports/story/narrator.hh"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "base/error.hh"
#include "reports/story/look_ahead.hh"
#include "reports/text/action_text.hh"
#include "reports/text/audit_text.hh"
#include "reports/text/effect_text.hh"
#include "reports/text/judgement_text.hh"
#include "reports/text/kernel_text.hh"
#include "reports/text/notice_text.hh"
#include "reports/text/probe_text.hh"
#include "reports/text/state_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Event;
using capture::Fate;
using capture::Packet;
using capture::State;

constexpr std::chrono::seconds kWorthFolding(1);
constexpr std::chrono::milliseconds kWorthSaying(1);
constexpr std::size_t kMostRemembered = 4096;
constexpr std::size_t kFewFrames = 8;

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", double(bytes) / 1e3);
  return fmt::format("{:.1f} MB", double(bytes) / 1e6);
}

/// Appends the new state. Two changes of one connection in a row become a chain: "A → B".
void append_state(std::vector<StateLine>& lines, const State& state, int connection,
                  const State* before) {
  const bool continues = before != nullptr && before->host == state.host &&
                         before->local == state.local && before->remote == state.remote &&
                         before->to == state.from;
  if (!continues) {
    lines.push_back({state.host, state_text(state, connection)});
    return;
  }
  lines.back().text.add(" → ", Paint::dim).add(state_text(state, connection));
}

/// Returns whether another kernel event already says this: a reset implies a drop for the same
/// reason, and a received RST shows as an error.
bool is_implied(const Event& event, const std::vector<Event>& beside) {
  const auto* kernel = std::get_if<capture::Kernel>(&event.body);
  if (kernel == nullptr) return false;
  return std::ranges::any_of(beside, [kernel](const Event& each) {
    const auto* other = std::get_if<capture::Kernel>(&each.body);
    if (other == nullptr || other->host != kernel->host) return false;
    if (kernel->what == capture::KernelAction::drop)
      return other->what == capture::KernelAction::reset && other->reason == kernel->reason;
    if (kernel->what == capture::KernelAction::bad_checksum)
      return other->what == capture::KernelAction::drop;
    return kernel->what == capture::KernelAction::reset_received &&
           other->what == capture::KernelAction::error;
  });
}

std::string remark_text(const capture::Note& note) { return note.text; }
std::string remark_text(const capture::AuditNote& note) { return audit_line(note); }
std::string remark_text(const capture::Unchecked& unchecked) { return unchecked_text(unchecked); }

StyledText remark_on(const Packet& packet) {
  StyledText remark;
  const std::string why = effects_text(packet);
  if (packet.fate == Fate::held || packet.fate == Fate::lost) return remark.add(why, Paint::bad);
  if (packet.fate == Fate::forged) return remark.add(why, Paint::note);
  // Without an effect no fault made it late: the machine was busy.
  if (why.empty() || !packet.delivered || *packet.delivered - packet.sent <= kWorthSaying)
    return remark.add(why, Paint::dim);
  const std::string span = base::describe(*packet.delivered - packet.sent);
  return remark.add("after " + span + ": " + why, Paint::dim);
}

}  // namespace

void Narrator::draw(const Event& event, StepContent content) {
  draw(Step{event.at, std::move(content), {event.number}});
}

void Narrator::draw(const Step& step) {
  const When at = step.at;
  if (at && last_drawn_ && *at - *last_drawn_ >= kWorthFolding)
    sink_({std::nullopt, Quiet{*at - *last_drawn_}});
  if (at) last_drawn_ = last_drawn_ ? std::max(*last_drawn_, *at) : *at;
  sink_(step);
}

void Narrator::tell(const Event& event, TimeOrder& ahead) {
  std::visit(
      [this, &event, &ahead](const auto& body) {
        if constexpr (requires { remark_text(body); })
          draw(event, Remark{remark_text(body)});
        else if constexpr (requires { tell_body(event, body, ahead); })
          tell_body(event, body, ahead);
        else
          tell_body(event, body);
      },
      event.body);
  tell_notice(event);
}

/// How long after the fault a program has noticed it.
void Narrator::tell_notice(const Event& event) {
  notices_.note(event);
  const auto first = notices_.first(event);
  if (first) draw(Step{event.at, Remark{notice_line(first->notice, first->event)}, {}});
}

// These are in the header and the footer.
void Narrator::tell_body(const Event&, const capture::RunStart&) {}
void Narrator::tell_body(const Event&, const capture::RunEnd&) {}
// For plots.
void Narrator::tell_body(const Event&, const capture::Sending&) {}

void Narrator::tell_body(const Event& event, const capture::HostUp& up) {
  names_.learn(up);
  std::string address;
  for (const capture::Interface& interface : up.interfaces)
    for (const std::string& text : interface.addresses)
      if (address.empty()) address = text.substr(0, text.find('/'));
  sink_({event.at, HostStep{up.host, address}, {event.number}});
  if (up.incarnation == 1) return;
  first_program_.erase(up.host);
  draw(event,
       StateLine{up.host, StyledText("running again, all connections forgotten", Paint::action),
                 true});
}

/// Forgets a program that ended. If it was the host's first, the next one takes its place, and is
/// shown without its name.
void Narrator::forget(const capture::Program& program) {
  const auto first = first_program_.find(program.host);
  running_[program.host].erase(program.program);
  if (first != first_program_.end() && first->second == program.program)
    first_program_.erase(first);
}

void Narrator::tell_body(const Event& event, const capture::Program& program) {
  StyledText text;
  switch (program.change) {
    case capture::ProgramChange::started:
      powerless_.erase(program.program);
      running_[program.host].insert(program.program);
      text.add("$ " + program.command, Paint::strong);
      break;
    case capture::ProgramChange::exited:
      forget(program);
      text.add(fmt::format("{} exits, status {}", program.program, program.code),
               program.code == 0 ? Paint::strong : Paint::error);
      break;
    case capture::ProgramChange::killed:
      // A program whose host lost power is reported as killed later, which says nothing new.
      if (powerless_.erase(program.program) != 0 && !style_.verbose) return;
      forget(program);
      text.add(fmt::format("{} is killed by {}", program.program, base::signal_name(program.code)),
               Paint::error);
      break;
    case capture::ProgramChange::wrote: {
      // If the program's calls are recorded, its output is already shown as a write.
      const bool is_news =
          program.stream == "stdout" && !recorded_programs_.contains(program.program);
      if (!is_news && !style_.verbose) return;
      text.add(fmt::format("{}: ", program.program), Paint::dim).add(program.text);
      break;
    }
    case capture::ProgramChange::calls_unseen:
      text.add(fmt::format("{}'s calls are not all seen: {}", program.program, program.text),
               Paint::strong);
      break;
  }
  draw(event, HostLine{program.host, text});
}

void Narrator::tell_body(const Event& event, const capture::Probe& probe) {
  draw(event,
       HostLine{probe.host, program_prefix(probe.host, probe.program).add(probe_text(probe))});
}

void Narrator::tell_body(const Event& event, const capture::Flood& flood) {
  const std::string frames = fmt::format("{} frame{}", flood.frames, flood.frames == 1 ? "" : "s");
  const std::string with_size = flood.bytes == 0 ? frames : frames + ", " + size_text(flood.bytes);
  Arrow arrow{.from = flood.from, .to = flood.to, .is_flood = true};
  arrow.labels = {with_size + " in " + base::describe(flood.span), with_size, frames};
  if (last_drawn_) last_drawn_ = std::max(*last_drawn_, event.at - flood.span);  // it is not quiet
  draw(event, arrow);
}

void Narrator::tell_body(const Event& event, const capture::Action& action) {
  const std::string text = action.host.empty() ? "" : action.host + ": ";
  draw(event, Banner{text + action_text(action)});
  if (power_change(action.verb) != capture::PowerChange::cut) return;
  powerless_.merge(running_[action.host]);
  running_[action.host].clear();
  sink_({event.at, DarkStep{action.host}, {event.number}});
}

void Narrator::tell_body(const Event& event, const capture::Verdict& verdict) {
  draw(event, Judgement{verdict});
}

/// The name of the program, unless it is the first of its host.
StyledText Narrator::program_prefix(const std::string& host, const std::string& program) {
  const std::string& first = first_program_.try_emplace(host, program).first->second;
  return first == program ? StyledText() : StyledText(program + ": ", Paint::dim);
}

StyledText Narrator::with_program(const capture::Call& call, CallView view) {
  StyledText text = program_prefix(call.host, call.program);
  capture::Call unmarked = call;  // the mark has a line of its own, which is never cut
  unmarked.injected = false;
  unmarked.by_lab = false;
  unmarked.injected_delay = {};
  return text.add(call_text(unmarked, view, names_, style_));
}

void Narrator::tell_body(const Event& event, const capture::Call& call, TimeOrder& ahead) {
  if (recorded_programs_.size() < kMostRemembered) recorded_programs_.insert(call.program);
  if (call.phase == capture::CallPhase::enter) {
    tell_entry(event, call, ahead);
    return;
  }
  const bool was_waiting = waiting_calls_.erase({call.host, call.program, call.pid, call.id}) != 0;
  if (!was_waiting && is_boring(call) && !style_.verbose) return;
  HostLine line{call.host, with_program(call, was_waiting ? CallView::returns : CallView::whole)};
  if (was_waiting && event.at - call.entered >= kWorthFolding)
    line.aside.add("after " + base::describe(event.at - call.entered), Paint::dim);
  draw(event, line);
  tell_injection(event, call);
  tell_stack(call);
}

void Narrator::tell_injection(const Event& event, const capture::Call& call) {
  if (const StyledText mark = injection_text(call); !mark.empty())
    draw(event, StateLine{call.host, mark, true});
}

/// Where the program made the call, the innermost frame first. A failure has room for a few.
void Narrator::tell_stack(const capture::Call& call) {
  if (!style_.verbose && !style_.stacks) return;
  const std::size_t all = call.stack.size();
  const std::size_t shown = style_.verbose ? all : std::min(all, kFewFrames);
  const auto tell = [&](const std::string& text) {
    draw({std::nullopt, StateLine{call.host, StyledText(text, Paint::dim), true}});
  };
  for (const std::string& frame : std::span(call.stack).first(shown)) tell("at " + one_line(frame));
  if (shown < all) tell(fmt::format("and {} more frames: tcplab show -v", all - shown));
}

void Narrator::tell_entry(const Event& event, const capture::Call& call, TimeOrder& ahead) {
  if (const auto returned = take_return(call, event.at, ahead)) {
    const auto& whole = std::get<capture::Call>(returned->body);
    // It stays for those who learn from every event.
    if (is_boring(whole) && !style_.verbose) return ahead.add(*returned);
    draw({event.at,
          HostLine{call.host, with_program(whole, CallView::whole)},
          {returned->number, event.number}});
    tell_injection(*returned, whole);
    tell_stack(whole);
    return;
  }
  if (is_boring(call) && !style_.verbose) return;
  if (waiting_calls_.size() < kMostRemembered)
    waiting_calls_.insert({call.host, call.program, call.pid, call.id});
  draw(event, HostLine{call.host, with_program(call, CallView::waits)});
}

int Narrator::flow_of(const State& state) {
  return is_listener(state) ? 1 : segments_.connection_number(state.local, state.remote);
}

void Narrator::tell_body(const Event& event, const State& state, TimeOrder& ahead) {
  if (is_boring(state) && !style_.verbose) return;
  if (state.cause == capture::StateCause::frame && has_packet(state.frame, ahead) &&
      early_effects_.size() < kMostRemembered) {
    early_effects_[state.frame].push_back(event);
    return;
  }
  draw(event, StateLine{state.host, transition_text(state, flow_of(state))});
}

void Narrator::tell_body(const Event& event, const capture::Kernel& kernel, TimeOrder& ahead) {
  if (kernel.frame != 0 && has_packet(kernel.frame, ahead) &&
      early_effects_.size() < kMostRemembered) {
    early_effects_[kernel.frame].push_back(event);
    return;
  }
  draw(event, StateLine{kernel.host, kernel_text(kernel), true});
}

std::vector<Event> Narrator::effects_of(const Packet& packet, TimeOrder& ahead) {
  std::vector<Event> effects;
  if (auto early = early_effects_.extract(packet.frame)) effects = std::move(early.mapped());
  for (Event& effect : take_effects(packet, ahead)) effects.push_back(std::move(effect));
  if (style_.verbose) return effects;
  std::erase_if(effects, [all = effects](const Event& effect) {
    const auto* state = std::get_if<State>(&effect.body);
    return state != nullptr ? is_boring(*state) : is_implied(effect, all);
  });
  return effects;
}

std::vector<StateLine> Narrator::lines_of(const std::vector<Event>& effects) {
  std::vector<StateLine> lines;
  const State* before = nullptr;
  for (const Event& event : effects) {
    const auto* state = std::get_if<State>(&event.body);
    if (const auto* kernel = std::get_if<capture::Kernel>(&event.body))
      lines.push_back({kernel->host, kernel_text(*kernel), true});
    else if (state != nullptr)
      append_state(lines, *state, flow_of(*state), before);
    before = state;
  }
  return lines;
}

/// Returns whether a frame is only an IPv6 announcement (RFC 4861 router solicitation, RFC 3810
/// reports), which has nothing to do with a connection.
bool Narrator::hides(const Packet& packet) const {
  if (style_.verbose || packet.protocol != "ICMPv6") return false;
  const auto says = [&packet](std::string_view words) {
    return packet.summary.find(words) != std::string::npos;
  };
  return says("router solicitation") || says("multicast listener");
}

void Narrator::tell_body(const Event& event, const Packet& packet, TimeOrder& ahead) {
  if (hides(packet)) {
    static_cast<void>(effects_of(packet, ahead));
    return;
  }
  SegmentText words = segments_.describe(packet);
  Arrow arrow{.from = packet.from, .to = packet.to, .fate = packet.fate};
  arrow.labels = std::move(words.labels);
  arrow.paint = words.paint;
  arrow.remark = remark_on(packet);
  const std::vector<Event> effects = effects_of(packet, ahead);
  arrow.states = lines_of(effects);
  Step step{place_of(event), std::move(arrow), {event.number}};
  for (const Event& effect : effects) step.events.push_back(effect.number);
  draw(step);
}

}  // namespace tcplab::reports
