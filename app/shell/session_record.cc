#include "app/shell/session_record.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <regex>

#include "base/split.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

constexpr capture::nanoseconds kSoon = 2s;  // far below an expectation's default time limit
constexpr std::size_t kMostLocals = 150;    // Lua allows 200 in a function
constexpr std::size_t kColumns = 96;

/// Returns kang and kodos for "kang, kodos = ..."; empty if the text is not an assignment.
std::vector<std::string> assigned(const std::string& text) {
  static const std::regex kAssignment(R"(^\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=[^=])");
  static const std::regex kName(R"([A-Za-z_]\w*)");
  std::smatch found;
  if (!std::regex_search(text, found, kAssignment)) return {};
  const std::string left = found[1];
  return {std::sregex_token_iterator(left.begin(), left.end(), kName), {}};
}

bool has_word(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

bool judges(const std::string& text) {
  return text.find("expect") != std::string::npos || text.find("never") != std::string::npos;
}

std::string title_of(const std::string& name) {
  std::string title = name;
  std::ranges::replace(title, '-', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(title[0]));
  std::erase_if(title, [](char c) { return c == '"' || c == '\\' || c < ' '; });
  return title;
}

std::string comment(const std::string& text) {
  std::string lines;
  for (const std::string& line : base::split(text, '\n'))
    lines += (lines.empty() ? "-- " : "\n-- ") + line.substr(0, kColumns - 8);
  return lines;
}

/// A typed address limits the scenario to its family.
std::string families(const std::string& text) {
  static const std::regex kIpv4(R"("\d+\.\d+\.\d+\.\d+)");
  static const std::regex kIpv6(R"("[0-9a-f]*:[0-9a-f:]+")");
  if (std::regex_search(text, kIpv4)) return "  families = { 4 },\n";
  if (std::regex_search(text, kIpv6)) return "  families = { 6 },\n";
  return "";
}

std::string within(capture::nanoseconds after) {
  if (after <= kSoon) return "";
  const double seconds = base::in_seconds(after);
  return fmt::format("within({}):", std::lround(std::ceil(2 * seconds + 5)));
}

}  // namespace

void SessionRecord::turn_ends(TurnResult result) {
  if (!turns_.empty()) turns_.back().result = std::move(result);
}

void SessionRecord::forget_turn() {
  if (turns_.size() > 1)
    for (Sight& sight : turns_.back().sights)
      turns_[turns_.size() - 2].sights.push_back(std::move(sight));
  if (!turns_.empty()) turns_.pop_back();
}

std::size_t SessionRecord::done() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(turns_, [](const Turn& turn) { return turn.result.ok; }));
}

/// Returns the turn after which to expect the sight; `turns_.size()` for never. A typed expectation
/// moves the cursor of the stream. The event that it used is not expected again, and later events
/// of the stream are expected after it.
std::size_t SessionRecord::place_of(const Sight& sight, std::size_t turn) const {
  for (std::size_t next = turn + 1; next < turns_.size(); ++next) {
    const auto& before = turns_[next - 1].result.cursors;
    const auto& after = turns_[next].result.cursors;
    const auto now = after.find(sight.stream);
    if (now == after.end()) continue;
    const auto then = before.find(sight.stream);
    if (then != before.end() && then->second == now->second) continue;
    if (sight.event == now->second) return turns_.size();
    if (sight.event > now->second) turn = next;
    if (sight.event < now->second) return turn;
  }
  return turn;
}

std::string SessionRecord::expectation(const Sight& sight,
                                       const std::map<std::string, std::string>& names) const {
  if (sight.subject.empty()) {
    std::string verb = sight.verb;
    if (sight.after > kSoon) {
      const std::string limit = within(sight.after);
      const std::string seconds = limit.substr(7, limit.size() - 9);
      verb = verb.substr(0, verb.size() - 1) + ", { within = " + seconds + " })";
    }
    return "lab:" + verb;
  }
  const auto named =
      std::ranges::find(names, sight.subject, [](const auto& name) { return name.second; });
  if (named == names.end()) return "";
  return fmt::format("lab:expect({}):{}{}", named->first, within(sight.after), sight.verb);
}

std::vector<std::string> SessionRecord::expectations_after(std::size_t turn) const {
  std::vector<const Sight*> sights;
  for (std::size_t earlier = 0; earlier <= turn; ++earlier)
    for (const Sight& sight : turns_[earlier].sights) {
      // The turn's own expectation has used this event already.
      const auto& cursors = turns_[earlier].result.cursors;
      const auto own = cursors.find(sight.stream);
      if (own != cursors.end() && own->second >= sight.event) continue;
      if (place_of(sight, earlier) == turn) sights.push_back(&sight);
    }
  std::ranges::sort(sights, {}, [](const Sight* sight) { return sight->event; });
  std::vector<std::string> lines;
  for (const Sight* sight : sights)
    if (std::string line = expectation(*sight, turns_[turn].result.names); !line.empty())
      lines.push_back(std::move(line));
  return lines;
}

/// Returns expectations that states did not change. After a verb of power or cables, that is the
/// point of the experiment.
std::vector<std::string> SessionRecord::silences(std::size_t turn) const {
  const bool judged =
      std::ranges::any_of(turns_, [](const Turn& one) { return judges(one.result.text); });
  if (!turns_[turn].on_a_host || judged) return {};
  std::map<std::string, std::string> states;  // subject -> state before this turn
  for (std::size_t earlier = 0; earlier < turn; ++earlier) {
    for (const std::string& host : turns_[earlier].powerless)
      std::erase_if(states, [&](const auto& one) { return one.first.starts_with(host + "/"); });
    for (const Sight& sight : turns_[earlier].sights)
      if (sight.stream.starts_with("state ")) states[sight.subject] = sight.verb;
  }
  for (const Sight& sight : turns_[turn].sights) states.erase(sight.subject);
  std::vector<std::string> lines;
  for (const auto& [name, subject] : turns_[turn].result.names) {
    const auto state = states.find(subject);
    const std::string host = subject.substr(0, subject.find('/'));
    if (state == states.end() || turns_[turn].powerless.contains(host) || subject == host ||
        state->second.find("CLOSED") != std::string::npos)
      continue;
    lines.push_back(fmt::format("lab:expect({}):still_{}", name, state->second));
  }
  return lines;
}

bool SessionRecord::was_mentioned(const std::string& name, std::size_t before) const {
  for (std::size_t turn = 0; turn < before; ++turn)
    if (turns_[turn].result.ok && has_word(turns_[turn].result.text, name)) return true;
  return false;
}

/// Returns what was typed. New names become locals. A program that the shell named gets that name.
std::vector<std::string> SessionRecord::lines_of_turn(std::size_t turn,
                                                      std::set<std::string>& locals) const {
  const TurnResult& result = turns_[turn].result;
  std::vector<std::string> lines = base::split(result.text, '\n');
  if (lines.empty()) return lines;
  const std::vector<std::string> names = assigned(result.text);
  const bool all_new = std::ranges::all_of(names, [&](const std::string& name) {
    return !locals.contains(name) && !was_mentioned(name, turn);
  });
  if (!names.empty() && all_new && locals.size() < kMostLocals) {
    locals.insert(names.begin(), names.end());
    lines.front() = "local " + lines.front();
  }
  for (const auto& [name, subject] : result.names) {
    const bool is_new = turn == 0 || !turns_[turn - 1].result.names.contains(name);
    if (!is_new || !names.empty() || has_word(result.text, name)) continue;
    lines.front() = "local " + name + " = " + lines.front();
    locals.insert(name);
  }
  return lines;
}

std::string SessionRecord::scenario(const std::string& name) const {
  std::string body;
  std::string typed;
  std::set<std::string> locals;
  const auto add = [&](const std::string& line) { body += "    " + line + "\n"; };
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    const TurnResult& result = turns_[turn].result;
    typed += result.text + "\n";
    if (turn > 0) body += "\n";
    if (result.ok && result.statement) {
      for (const std::string& line : lines_of_turn(turn, locals)) add(line);
    } else {
      for (const std::string& line : base::split(
               comment(result.ok ? result.text : result.text + "\n  " + result.error), '\n'))
        add(line);
    }
    for (const std::string& line : expectations_after(turn)) add(line);
    for (const std::string& line : silences(turn)) add(line);
  }
  const std::string title = title_of(name);
  return "-- Typed into tcplab shell. The expectations are what happened after each line.\n"
         "return {\n  title = \"" +
         title + "\",\n  asks = \"What happens in \\\"" + title +
         "\\\"? (Put your question here.)\",\n  tags = { \"shell\" },\n" + families(typed) +
         "\n  run = function(lab)\n" + body + "  end,\n}\n";
}

}  // namespace tcplab::app
