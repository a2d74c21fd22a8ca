#include "reports/html/words.hh"

#include <algorithm>
#include <fmt/format.h>

#include "capture/event/event_words.hh"
#include "reports/text/action_text.hh"

namespace tcplab::html {

namespace {

using capture::Fate;

std::string_view fate_words(Fate fate) {
  return fate == Fate::forged ? "forged by the lab" : capture::word(fate);
}

struct StepWords {
  bool is_capture = false;  // it does not show whether a frame arrived

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
    if (!is_capture)
      text += fmt::format(", {}", arrow.is_flood ? "delivered" : fate_words(arrow.fate));
    if (!arrow.remark.empty()) text += ": " + arrow.remark.text();
    for (const reports::StateLine& state : arrow.states)
      text += ". " + state.host + ": " + state.text.text();
    return text;
  }
};

}  // namespace

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
