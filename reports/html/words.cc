#include "reports/html/words.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "capture/event/event_words.hh"
#include "reports/text/action_text.hh"
#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

using capture::Fate;

std::string_view fate_words(Fate fate) {
  return fate == Fate::forged ? "forged by the lab" : capture::word(fate);
}

struct StepWords {
  bool is_capture = false;   // it does not show whether a frame arrived
  bool is_headline = false;  // that a frame arrived goes without saying

  std::string operator()(const reports::HostStep& up) const { return up.host + " is up"; }
  std::string operator()(const reports::DarkStep& dark) const {
    return dark.host + " has no power";
  }
  std::string operator()(const reports::HostLine& line) const {
    const std::string aside = line.aside.empty() ? "" : " " + line.aside.text();
    return line.host + ": " + line.text.text() + aside;
  }
  std::string operator()(const reports::StateLine& line) const {
    return line.host + ": " + line.text.text();
  }
  std::string operator()(const reports::Banner& banner) const { return banner.text; }
  std::string operator()(const reports::Judgement& judgement) const {
    const capture::Verdict& verdict = judgement.verdict;
    std::string text = (verdict.passed ? "passed: " : "failed: ") + verdict.expected;
    if (!verdict.seen.empty()) text += "; seen: " + verdict.seen;
    return text;
  }
  std::string operator()(const reports::Remark& remark) const { return remark.text; }
  std::string operator()(const reports::Quiet& quiet) const {
    return base::describe(quiet.span) + ": nothing happens";
  }
  std::string operator()(const reports::Arrow& arrow) const {
    const std::string label = arrow.labels.empty() ? "a frame" : arrow.labels.front();
    std::string text = fmt::format("{} sends {} to {}", arrow.from.empty() ? "?" : arrow.from,
                                   label, arrow.to.empty() ? "all" : arrow.to);
    const bool is_usual = arrow.is_flood || arrow.fate == Fate::delivered;
    if (!is_capture && !(is_headline && is_usual))
      text += fmt::format(", {}", arrow.is_flood ? "delivered" : fate_words(arrow.fate));
    if (!arrow.remark.empty()) text += ": " + arrow.remark.text();
    for (const reports::StateLine& state : arrow.states)
      text += ". " + state.host + ": " + state.text.text();
    return text;
  }
};

/// Returns "a SYN ACK", "22 bytes", "a FIN with 22 bytes". The page's script says the same
/// (headline.js).
std::string segment_words(const capture::Packet& packet) {
  constexpr std::array<std::pair<char, std::string_view>, 3> kFlags = {
      {{'S', "SYN"}, {'F', "FIN"}, {'R', "RST"}}};
  std::string names;
  for (const auto& [flag, name] : kFlags)
    if (packet.flags.find(flag) != std::string::npos)
      names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  if (names == "SYN" && packet.flags.find('.') != std::string::npos) names += " ACK";
  std::string octets = packet.length == 0 ? "" : reports::counted(packet.length, "byte");
  if (!names.empty()) return "a " + names + (octets.empty() ? "" : " with " + octets);
  if (!octets.empty()) return octets;
  return packet.window == 0 ? "an ACK with a zero window" : "an ACK";
}

/// Cuts long data between quotation marks.
std::string with_short_data(const std::string& text) {
  constexpr int kMost = 30;
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find('"', at);
    const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    if (end == std::string::npos) return out + text.substr(at);
    const std::string_view data = std::string_view(text).substr(begin + 1, end - begin - 1);
    out += text.substr(at, begin + 1 - at);
    out += reports::fit(data, kMost, reports::Style{});
    out += '"';
    at = end + 1;
  }
}

std::string headline(const PageRun& page, const reports::Step& step) {
  const StepWords words{.is_capture = page.is_capture, .is_headline = true};
  const capture::Event* event = page.first_event(step);
  const auto* action = event == nullptr ? nullptr : std::get_if<capture::Action>(&event->body);
  if (action != nullptr) return words_of(*action);
  const capture::Packet* packet = page.packet_of(step);
  if (const auto* arrow = std::get_if<reports::Arrow>(&step.content);
      arrow != nullptr && packet != nullptr && packet->protocol == "TCP") {
    const bool is_again =
        !arrow->labels.empty() && arrow->labels.front().find(" again") != std::string::npos;
    reports::Arrow simple = *arrow;
    simple.labels = {segment_words(*packet) + (is_again ? " again" : "")};
    return words(simple);
  }
  if (const auto* line = std::get_if<reports::HostLine>(&step.content)) {
    constexpr std::string_view kReturns = ": … ";  // of a call that has waited
    std::string text = line->host + ": " + line->text.text();
    if (const std::size_t at = text.find(kReturns); at != std::string::npos)
      text.replace(at, kReturns.size(), ": ");
    return text;
  }
  return std::visit(words, step.content);
}

}  // namespace

std::string headline_of(const PageRun& page, const reports::Step& step) {
  return with_short_data(headline(page, step));
}

std::string words_of(const PageRun& page, const reports::Step& step) {
  std::string text = std::visit(StepWords{page.is_capture}, step.content);
  const capture::Packet* packet = page.packet_of(step);
  if (packet != nullptr && !packet->summary.empty()) text += " (" + packet->summary + ")";
  return text;
}

std::string time_of(const PageRun& page, const reports::Step& step) {
  if (!step.at || !page.start) return "";
  return fmt::format("{:.6f}", base::in_seconds(*step.at - *page.start));
}

std::string words_of(const capture::Action& action) {
  std::string verb(word(action.verb));
  std::ranges::replace(verb, '_', ' ');
  const std::string detail = reports::detail_text(action);
  return (action.host.empty() ? "" : action.host + ": ") + verb +
         (detail.empty() ? "" : " " + detail);
}

}  // namespace tcplab::html
