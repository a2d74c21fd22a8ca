#include "reports/brief/mermaid.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "capture/event/event_words.hh"
#include "reports/html/lanes.hh"
#include "reports/html/words.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kNoteColumns = 40;

// Mermaid removes the last ';' of a line with "style" or "classDef" before a '#' (encodeEntities()
// in its utils.ts), so that entities in such a line would be broken.
constexpr std::pair<std::string_view, std::string_view> kTakenWords[] = {
    {"style", "st#121;le"}, {"classDef", "class#68;ef"}};

/// Returns whether the character is only text in every place of a diagram.
bool is_plain(char c) {
  constexpr std::string_view kHarmless = " .,:()[]=/'?!+*_-";
  return static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
         (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kHarmless.find(c) != std::string_view::npos;
}

std::string wrapped(const std::string& text) {
  std::string out;
  for (const std::string& line : wrap(text, kNoteColumns))
    out += (out.empty() ? "" : "<br/>") + mermaid_text(line);
  return out;
}

/// The arrow of a frame: a cross where it was lost, an open head where it was held.
std::string_view arrow_of(const Arrow& arrow) {
  switch (arrow.fate) {
    case capture::Fate::lost:
      return "-x";
    case capture::Fate::held:
    case capture::Fate::delayed:
      return "--)";
    case capture::Fate::forged:
      return "-->>";
    case capture::Fate::delivered:
      break;
  }
  return "->>";
}

class Diagram {
public:
  explicit Diagram(const Brief& brief) : brief_(brief), lanes_(html::stand(brief.page, {}).lanes) {}

  std::string text() {
    std::string steps;
    for (std::size_t index = 0; index < brief_.page.steps.size(); ++index) steps += lines(index);
    const std::string title = mermaid_text(title_of(brief_));
    std::string out = fmt::format("sequenceDiagram\n  title {0}\n  accTitle: {0}\n", title);
    if (brief_.page.run && !brief_.page.run->asks.empty())
      out += fmt::format("  accDescr: {}\n", mermaid_text(brief_.page.run->asks));
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      out += fmt::format(
          "  participant {} as {}{}\n", id(lane), mermaid_text(lanes_[lane].host),
          lanes_[lane].address.empty() ? "" : "<br/>" + mermaid_text(lanes_[lane].address));
    if (needs_forger_) out += fmt::format("  participant {} as nobody<br/>(forged)\n", kForger);
    return out + steps + across(foot_of(brief_));
  }

private:
  static constexpr const char* kForger = "forger";

  static std::string id(std::size_t lane) { return fmt::format("host{}", lane + 1); }

  std::string lines(std::size_t index) {
    const Step& step = brief_.page.steps[index];
    const auto gap = brief_.gaps.find(index);
    if (gap != brief_.gaps.end())
      return across("⋯ " + gap->second.text) + states(gap->second.states);
    return std::visit([&](const auto& content) { return line(step, content); }, step.content);
  }

  std::string line(const Step&, const HostStep&) { return ""; }
  std::string line(const Step&, const DarkStep&) { return ""; }  // its banner says so
  std::string line(const Step& step, const HostLine& host) {
    const std::string aside = host.aside.empty() ? "" : " " + host.aside.text();
    return beside(host.host, time_of(step) + host.text.text() + aside);
  }
  std::string line(const Step& step, const StateLine& state) {
    return beside(state.host, time_of(step) + state.text.text());
  }
  std::string line(const Step& step, const Banner& banner) {
    const capture::Event* event = brief_.page.first_event(step);
    const auto* action = event == nullptr ? nullptr : std::get_if<capture::Action>(&event->body);
    return across(time_of(step) + (action == nullptr ? banner.text : html::words_of(*action)));
  }
  std::string line(const Step& step, const Judgement& judgement) {
    const capture::Verdict& verdict = judgement.verdict;
    const std::string seen = verdict.seen.empty() ? "nothing that matches" : verdict.seen;
    return across(time_of(step) + (verdict.passed ? "✓ " : "✗ expected: ") + verdict.expected +
                  "; seen: " + seen);
  }
  std::string line(const Step&, const Remark& remark) { return across(remark.text); }
  std::string line(const Step&, const Quiet& quiet) {
    return across(base::describe(quiet.span) + ": nothing happens");
  }
  std::string line(const Step& step, const Arrow& arrow) {
    std::string words = time_of(step) + (arrow.labels.empty() ? "a frame" : arrow.labels.front());
    if (arrow.fate != capture::Fate::delivered)
      words += fmt::format(", {}", capture::word(arrow.fate));
    if (!arrow.remark.empty()) words += ": " + arrow.remark.text();
    const bool is_forged = arrow.from.empty() || arrow.fate == capture::Fate::forged;
    needs_forger_ = needs_forger_ || is_forged;
    const std::string from = is_forged ? kForger : id_of(arrow.from);
    if (arrow.to.empty()) return note("over " + from, words + ", to all") + states(arrow.states);
    return fmt::format("  {}{}{}: {}\n", from, arrow_of(arrow), id_of(arrow.to), wrapped(words)) +
           states(arrow.states);
  }

  std::string states(const std::vector<StateLine>& states) const {
    std::string out;
    for (const StateLine& state : states) out += beside(state.host, state.text.text());
    return out;
  }

  /// A note at a host: those of the first and the last one are outside of the frames.
  std::string beside(const std::string& host, const std::string& text) const {
    if (lanes_.size() > 1 && host == lanes_.front().host) return note("left of host1", text);
    const bool is_last = lanes_.size() > 1 && host == lanes_.back().host && !needs_forger_;
    return note((is_last ? "right of " : "over ") + id_of(host), text);
  }

  std::string across(const std::string& text) const {
    if (lanes_.empty()) return "";
    return note(lanes_.size() == 1 ? "over host1" : "over host1," + id(lanes_.size() - 1), text);
  }

  static std::string note(const std::string& place, const std::string& text) {
    return fmt::format("  Note {}: {}\n", place, wrapped(text));
  }

  std::string time_of(const Step& step) const {
    if (!step.at || !brief_.page.start) return "";
    return fmt::format("{:.3f} s: ", base::in_seconds(*step.at - *brief_.page.start));
  }

  std::string id_of(const std::string& host) const {
    return id(std::size_t(std::ranges::find(lanes_, host, &html::Lifeline::host) - lanes_.begin()));
  }

  const Brief& brief_;
  std::vector<html::Lifeline> lanes_;
  bool needs_forger_ = false;
};

}  // namespace

std::string mermaid_text(std::string_view foreign) {
  std::string out;
  for (const char c : printable(foreign))
    out += is_plain(c) ? std::string(1, c) : fmt::format("#{};", int(c));
  for (const auto& [word, instead] : kTakenWords)
    for (std::size_t at = 0; (at = out.find(word, at)) != std::string::npos;)
      out.replace(at, word.size(), instead);
  return out;
}

std::string brief_mermaid(const Brief& brief) { return Diagram(brief).text(); }

}  // namespace tcplab::reports
