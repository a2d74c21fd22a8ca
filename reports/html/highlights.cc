#include "reports/html/highlights.hh"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <string>

#include "capture/event/call_names.hh"

namespace tcplab::html {

namespace {

using capture::ActionVerb;
using capture::Fate;
using reports::Step;

constexpr double kLeast = 12;        // a step with less weight says little by itself
constexpr double kRepeated = 0.55;   // weight of a step that resembles one before, times this
constexpr double kFoldedPause = 10;  // of a pause: the torn paper shows it

/// How much a step matters, and what it is: steps of one kind resemble each other.
struct Weight {
  double value = 0;
  std::string kind{};
};

bool has_flag(const capture::Packet& packet, char flag) {
  return packet.flags.find(flag) != std::string::npos;
}

/// Weighs the steps of a run in their order.
class Scale {
public:
  explicit Scale(const PageRun& page) : page_(page) {}

  double weigh(const Step& step) {
    const Weight weight =
        std::visit([&](const auto& content) { return of(step, content); }, step.content);
    if (weight.value == 0) return 0;
    double value = weight.value;
    for (int times = seen_[weight.kind]++; times > 0 && value > 1; --times) value *= kRepeated;
    return value;
  }

private:
  Weight of(const Step&, const reports::HostStep&) { return {}; }
  Weight of(const Step&, const reports::DarkStep&) { return {}; }
  Weight of(const Step&, const reports::Quiet&) { return {kFoldedPause, "pause"}; }
  /// A remark before the first program is about the machine, not about the story.
  Weight of(const Step&, const reports::Remark&) {
    return seen_.empty() ? Weight{} : Weight{45, "remark"};
  }
  Weight of(const Step&, const reports::StateLine& line) {
    return {line.is_prose ? 40.0 : 30.0, "state " + line.host + line.text.text()};
  }
  Weight of(const Step& step, const reports::Judgement& judgement) {
    if (!judgement.verdict.passed) return {100, fmt::format("failure {}", step.events.front())};
    return {8, "met"};
  }

  Weight of(const Step& step, const reports::Banner&) {
    const auto* action = body<capture::Action>(step);
    if (action == nullptr) return {60, "banner"};
    switch (action->verb) {
      case ActionVerb::wait:
        return {10, "wait"};
      case ActionVerb::idle:
        return {50, "idle"};
      case ActionVerb::type:
        return {35, "type"};
      default:
        return {85, fmt::format("action {} {}", int(action->verb), action->host)};
    }
  }

  Weight of(const Step& step, const reports::HostLine&) {
    if (const auto* program = body<capture::Program>(step)) return of_program(*program);
    const auto* call = body<capture::Call>(step);
    if (call == nullptr) return {15, "line"};
    if (call->phase == capture::CallPhase::enter) return {5, "enter"};
    const std::string kind = call->host + call->program + call->call;
    if (call->injected) return {80, kind + "injected"};
    if (call->result < 0) {
      const bool is_usual =
          call->error == EAGAIN || call->error == EINTR || call->error == EINPROGRESS;
      return is_usual ? Weight{20, kind + "later"} : Weight{90, kind + std::to_string(call->error)};
    }
    if (capture::receives_data(call->call))
      return call->result == 0 ? Weight{60, kind + "end"} : Weight{42, kind};
    if (call->call == "connect" || capture::is_of_family(call->call, "accept")) return {30, kind};
    if (capture::sends_data(call->call) || call->call == "close" || call->call == "shutdown")
      return {40, kind};
    return {10, kind};
  }

  static Weight of_program(const capture::Program& program) {
    switch (program.change) {
      case capture::ProgramChange::started:
        return {14, "start" + program.host};
      case capture::ProgramChange::exited:
        return {program.code == 0 ? 16.0 : 45.0, "exit" + program.host};
      case capture::ProgramChange::killed:
        return {50, "killed" + program.host};
      case capture::ProgramChange::wrote:
        return {14, "wrote" + program.host};
      case capture::ProgramChange::calls_unseen:
        return {45, "unseen" + program.host};
    }
    return {};
  }

  Weight of(const Step& step, const reports::Arrow& arrow) {
    const auto* packet = body<capture::Packet>(step);
    if (packet == nullptr) return {20, "flood"};
    Weight weight = of_packet(*packet, arrow.from + ">" + arrow.to);
    if (packet->fate != Fate::delivered || !packet->effects.empty())
      weight = {std::max(weight.value, 70.0),
                fmt::format("{} fate {}", weight.kind, int(packet->fate))};
    if (!arrow.states.empty()) weight.value += 8;
    return weight;
  }

  Weight of_packet(const capture::Packet& packet, const std::string& way) {
    if (packet.protocol == "ICMP" || packet.protocol == "ICMPv6")
      return {72, way + packet.protocol};
    if (packet.protocol != "TCP") return {2, way + packet.protocol};
    const std::string segment =
        fmt::format("{}{}{} {} {}", packet.source.to_string(), packet.destination.to_string(),
                    packet.sequence, packet.length, packet.flags);
    const bool takes_space = packet.length != 0 || has_flag(packet, 'S') || has_flag(packet, 'F');
    if (takes_space && !sent_.insert(segment).second) return {52, way + "again"};
    if (has_flag(packet, 'R')) return {82, way + "reset"};
    if (has_flag(packet, 'S')) return {has_flag(packet, '.') ? 38.0 : 44.0, way + "open"};
    if (has_flag(packet, 'F')) return {60, way + "close"};
    if (packet.length != 0) return {54, way + "data"};
    return packet.window == 0 ? Weight{60, way + "zero window"} : Weight{9, way + "ack"};
  }

  template <typename Body>
  const Body* body(const Step& step) const {
    const capture::Event* event = page_.first_event(step);
    return event == nullptr ? nullptr : std::get_if<Body>(&event->body);
  }

  const PageRun& page_;
  std::map<std::string, int> seen_;
  std::set<std::string> sent_;
};

}  // namespace

std::vector<std::size_t> highlights(const PageRun& page) {
  struct Ranked {
    double weight;
    std::size_t index;
  };
  std::vector<Ranked> ranked;
  Scale scale(page);
  for (std::size_t index = 0; index < page.steps.size(); ++index)
    if (const double weight = scale.weigh(page.steps[index]); weight >= kLeast)
      ranked.push_back({weight, index});
  std::ranges::stable_sort(ranked, std::greater{}, &Ranked::weight);
  std::vector<std::size_t> indices;
  indices.reserve(ranked.size());
  for (const Ranked& each : ranked) indices.push_back(each.index);
  return indices;
}

}  // namespace tcplab::html
