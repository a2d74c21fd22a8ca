#include "reports/ladder/failure.hh"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "reports/ladder/ladder.hh"
#include "reports/text/judgement_text.hh"

namespace tcplab::reports {

namespace {

using capture::Event;

struct HostOf {
  std::string operator()(const capture::HostUp& up) const { return up.host; }
  std::string operator()(const capture::Program& program) const { return program.host; }
  std::string operator()(const capture::Call& call) const { return call.host; }
  std::string operator()(const capture::State& state) const { return state.host; }
  template <typename Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

std::string names_of(const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t index = 0; index < hosts.size(); ++index) {
    if (index != 0) text += index + 1 == hosts.size() ? " and " : ", ";
    text += hosts[index];
  }
  return text;
}

/// Returns the hosts in the order in which they started. Hosts that started earlier than these
/// events follow, sorted by name.
std::vector<std::string> hosts_in(std::span<const Event> events) {
  std::vector<std::string> hosts;
  std::set<std::string> others;
  for (const Event& event : events) {
    if (const auto* packet = std::get_if<capture::Packet>(&event.body)) {
      others.insert(packet->from);
      others.insert(packet->to);  // empty for a broadcast
    }
    const std::string host = std::visit(HostOf{}, event.body);
    if (host.empty()) continue;
    const auto* up = std::get_if<capture::HostUp>(&event.body);
    const bool came_up = up != nullptr && up->incarnation == 1;
    if (came_up && std::ranges::find(hosts, host) == hosts.end())
      hosts.push_back(host);
    else
      others.insert(host);
  }
  others.erase("");
  for (const std::string& host : others)
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  return hosts;
}

void write_lines(std::ostream& out, const std::vector<StyledText>& lines, const Style& style) {
  for (const StyledText& line : lines) out << render(line, style) << '\n';
}

/// Returns whether the host's first power-on is among the events.
bool comes_up_in(std::span<const Event> events, const std::string& host) {
  return std::ranges::any_of(events, [&](const Event& event) {
    const auto* up = std::get_if<capture::HostUp>(&event.body);
    return up != nullptr && up->host == host && up->incarnation == 1;
  });
}

/// The details of the verdict have what programs wrote last already.
Event without_last_lines(Event event) {
  if (auto* verdict = std::get_if<capture::Verdict>(&event.body)) verdict->last_lines.clear();
  return event;
}

void write_ladder(std::ostream& out, std::span<const Event> events, const FailureView& view) {
  const std::vector<std::string> hosts = hosts_in(events);
  if (hosts.empty()) return;
  write_lines(out, {StyledText("The last events of " + names_of(hosts), Paint::strong)},
              view.style);
  Style style = view.style;
  style.stacks = true;
  Ladder ladder(out, style, LadderParts::rows_only);
  if (view.earlier != nullptr) ladder.know(*view.earlier);
  const auto first = std::ranges::min(events, {}, &Event::at).at;
  const bool has_start = std::holds_alternative<capture::RunStart>(events.front().body);
  if (view.start && !has_start) ladder.event({0, *view.start, capture::RunStart{}});
  // Hosts that started before these events need a lane too.
  for (const std::string& host : hosts)
    if (!comes_up_in(events, host)) ladder.event({0, first, capture::HostUp{host, 1, {}}});
  for (const Event& event : events)
    if (!std::holds_alternative<capture::RunEnd>(event.body))
      ladder.event(without_last_lines(event));
  ladder.finish();
}

}  // namespace

std::string describe_failure(const capture::Verdict& verdict, std::span<const Event> last_events,
                             const FailureView& view) {
  std::ostringstream out;
  std::vector<StyledText> lines = script_lines(verdict, view.style);
  if (lines.empty()) lines.emplace_back("an expectation failed");
  lines.front() = mark(verdict.passed).add(" ").add(lines.front());
  write_lines(out, lines, view.style);
  out << '\n';
  write_lines(out, judgement_details(verdict, view.style.width), view.style);
  if (last_events.empty()) return out.str();
  out << '\n';
  write_ladder(out, last_events, view);
  return out.str();
}

}  // namespace tcplab::reports
