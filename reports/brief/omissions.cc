#include "reports/brief/omissions.hh"

#include <fmt/format.h>
#include <set>
#include <tuple>

#include "capture/follow/packet_tracker.hh"
#include "reports/text/state_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Event;
using capture::SegmentTrait;

constexpr std::chrono::seconds kWorthTelling(1);

using CallKey = std::tuple<std::string, std::string, int, std::uint64_t>;

CallKey key_of(const capture::Call& call) { return {call.host, call.program, call.pid, call.id}; }

/// Tells what steps are, in their order.
class Kinds {
public:
  explicit Kinds(const html::PageRun& page) : page_(page) {
    for (const Step& step : page.steps)
      if (const capture::Call* call = body<capture::Call>(step);
          call != nullptr && call->phase == capture::CallPhase::leave)
        returned_.insert(key_of(*call));
  }

  StepKind of(const Step& step) {
    if (const auto* packet = body<capture::Packet>(step)) return of_packet(*packet);
    if (const auto* call = body<capture::Call>(step)) {
      const bool returns_later =
          call->phase == capture::CallPhase::enter && returned_.contains(key_of(*call));
      return returns_later ? StepKind::nothing : StepKind::call;
    }
    if (std::holds_alternative<Arrow>(step.content)) return StepKind::segment;  // a flood
    if (const auto* program = body<capture::Program>(step)) return of_program(program->change);
    if (const auto* action = body<capture::Action>(step))
      return action->verb == capture::ActionVerb::wait ? StepKind::nothing : StepKind::action;
    if (body<capture::State>(step) != nullptr) return StepKind::state_change;
    const bool tells_of_hosts = std::holds_alternative<HostLine>(step.content) ||
                                std::holds_alternative<StateLine>(step.content);
    return tells_of_hosts ? StepKind::other : StepKind::nothing;
  }

private:
  static StepKind of_program(capture::ProgramChange change) {
    if (change == capture::ProgramChange::started) return StepKind::program_start;
    const bool is_end =
        change == capture::ProgramChange::exited || change == capture::ProgramChange::killed;
    return is_end ? StepKind::program_end : StepKind::other;
  }

  StepKind of_packet(const capture::Packet& packet) {
    if (packet.protocol != "TCP") return StepKind::other_frame;
    const capture::SegmentTraits traits = tracker_.note(packet).traits;
    if (traits.is_probe()) return StepKind::probe;
    if (traits.has(SegmentTrait::retransmission)) return StepKind::retransmission;
    return packet.length == 0 && packet.flags == "." ? StepKind::acknowledgment : StepKind::segment;
  }

  template <typename Body>
  const Body* body(const Step& step) const {
    const Event* event = page_.first_event(step);
    return event == nullptr ? nullptr : std::get_if<Body>(&event->body);
  }

  const html::PageRun& page_;
  std::set<CallKey> returned_;
  capture::PacketTracker tracker_;
};

std::string_view noun_of(StepKind kind) {
  switch (kind) {
    case StepKind::retransmission:
      return "retransmission";
    case StepKind::probe:
      return "probe";
    case StepKind::acknowledgment:
      return "ACK";
    case StepKind::segment:
      return "segment";
    case StepKind::other_frame:
      return "other frame";
    case StepKind::call:
      return "call";
    case StepKind::program_start:
      return "program start";
    case StepKind::program_end:
      return "program end";
    case StepKind::state_change:
      return "state change";
    case StepKind::action:
      return "action";
    case StepKind::nothing:
    case StepKind::other:
      break;
  }
  return "other step";
}

}  // namespace

std::vector<StepKind> kinds_of(const html::PageRun& page) {
  Kinds kinds(page);
  std::vector<StepKind> all;
  all.reserve(page.steps.size());
  for (const Step& step : page.steps) all.push_back(kinds.of(step));
  return all;
}

void Omissions::keep(const StateLine& line) {
  if (!line.is_prose) states_.insert_or_assign(line.host, line);
}

void Omissions::add(const html::PageRun& page, std::size_t index, StepKind kind) {
  const Step& step = page.steps[index];
  const auto* arrow = std::get_if<Arrow>(&step.content);
  const Event* event = page.first_event(step);
  const auto* state = event == nullptr ? nullptr : std::get_if<capture::State>(&event->body);
  if (const auto* line = std::get_if<StateLine>(&step.content);
      line != nullptr && state != nullptr && !is_listener(*state))
    keep(*line);
  for (const std::uint64_t number : step.events)
    if (const Event* each = page.event(number); each != nullptr)
      if (const auto* change = std::get_if<capture::State>(&each->body);
          change != nullptr && !is_listener(*change))
        changed_[change->host].insert({change->local, change->remote});
  const auto* flood = event == nullptr ? nullptr : std::get_if<capture::Flood>(&event->body);
  const std::uint64_t count = flood == nullptr ? 1 : flood->frames;
  if (kind != StepKind::nothing) counts_[kind] += count;
  if (arrow == nullptr) return;
  frames_ += count;
  if (arrow->fate == capture::Fate::lost) lost_ += count;
  for (const StateLine& line : arrow->states) keep(line);
}

Gap Omissions::gap(capture::nanoseconds span) const {
  Gap gap;
  for (const auto& [kind, count] : counts_) {
    if (!gap.text.empty()) gap.text += ", ";
    gap.text += counted(count, noun_of(kind));
  }
  const bool are_frames = counts_.rbegin()->first <= StepKind::other_frame;
  if (lost_ == frames_ && lost_ != 0)
    gap.text += !are_frames ? "; all frames lost" : lost_ == 1 ? ", lost" : ", all lost";
  else if (lost_ != 0)
    gap.text += "; " + counted(lost_, "frame") + " lost";
  if (span >= kWorthTelling) gap.text += ", in " + base::describe(span);
  for (const auto& [host, line] : states_) {
    gap.states.push_back(line);
    const auto changed = changed_.find(host);
    if (changed != changed_.end() && changed->second.size() > 1)
      gap.states.back().text.add(fmt::format(" and {} more", changed->second.size() - 1),
                                 Paint::dim);
  }
  return gap;
}

}  // namespace tcplab::reports
