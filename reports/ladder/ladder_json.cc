#include "reports/ladder/ladder_json.hh"

#include <nlohmann/json.hpp>
#include <ostream>

#include "capture/event/event_words.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

/// Makes the members of a step that depend on its kind.
struct StepMembers {
  Json operator()(const HostStep& host) const {
    return {{"kind", "host"}, {"host", host.host}, {"text", host.address}};
  }
  Json operator()(const DarkStep& dark) const { return {{"kind", "dark"}, {"host", dark.host}}; }
  Json operator()(const HostLine& line) const {
    Json object = {{"kind", "program"}, {"host", line.host}, {"text", line.text.text()}};
    add_text(object, "aside", line.aside.text());
    return object;
  }
  Json operator()(const StateLine& line) const {
    return {{"kind", "state"}, {"host", line.host}, {"text", line.text.text()}};
  }
  Json operator()(const Arrow& arrow) const {
    Json object = {{"kind", "frame"}};
    add_text(object, "from", arrow.from);
    add_text(object, "to", arrow.to);
    object["text"] = arrow.labels.empty() ? "" : arrow.labels.front();
    object["fate"] = capture::word(arrow.fate);
    add_text(object, "remark", arrow.remark.text());
    object["states"] = Json::array();
    for (const StateLine& state : arrow.states)
      object["states"].push_back({{"host", state.host}, {"text", state.text.text()}});
    return object;
  }
  Json operator()(const Banner& banner) const {
    return {{"kind", "action"}, {"text", banner.text}};
  }
  Json operator()(const Judgement& judgement) const {
    const capture::Verdict& verdict = judgement.verdict;
    Json object = {{"kind", "verdict"}, {"passed", verdict.passed}, {"text", verdict.expected}};
    add_text(object, "seen", verdict.seen);
    return object;
  }
  Json operator()(const Remark& remark) const { return {{"kind", "note"}, {"text", remark.text}}; }
  Json operator()(const Quiet& quiet) const {
    return {{"kind", "quiet"}, {"span", quiet.span.count()}};
  }
};

}  // namespace

LadderJson::LadderJson(std::ostream& out, bool verbose)
    : out_(out), narrator_([this](const Step& step) { write(step); }, Style{.verbose = verbose}) {}

void LadderJson::event(const capture::Event& event) {
  if (!has_begun_) begin(event);
  if (std::holds_alternative<capture::RunStart>(event.body)) return;
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) {
    end_ = *end;
    return;
  }
  order_.add(event);
  while (order_.is_due()) tell_oldest();
}

/// Writes what comes before the steps.
void LadderJson::begin(const capture::Event& first) {
  has_begun_ = true;
  start_ = first.at;
  Json document = json_document("tcplab-ladder");
  if (const auto* run = std::get_if<capture::RunStart>(&first.body)) {
    document.update({{"scenario", run->scenario},
                     {"family", capture::word(run->family)},
                     {"timers", run->timers},
                     {"kernel", run->kernel}});
  }
  const std::string text = json_line(document);
  out_ << text.substr(0, text.size() - 1) << ",\"steps\":[";
}

void LadderJson::finish() {
  while (!order_.empty()) tell_oldest();
  out_ << "\n]";
  if (end_) {
    Json members = {{"outcome", capture::word(end_->outcome)},
                    {"duration", end_->duration.count()}};
    add_text(members, "reason", end_->reason);
    out_ << "," << json_line(members).substr(1) << "\n";
  } else {
    out_ << "}\n";
  }
  out_.flush();
}

void LadderJson::tell_oldest() {
  const capture::Event event = order_.take();
  narrator_.tell(event, order_);
}

void LadderJson::write(const Step& step) {
  Json object = Json::object();
  if (step.at) object["at"] = capture::nanoseconds(*step.at - start_).count();
  object.update(std::visit(StepMembers{}, step.content));
  if (!step.events.empty()) object["events"] = step.events;
  out_ << (has_steps_ ? ",\n" : "\n") << json_line(object);
  has_steps_ = true;
}

}  // namespace tcplab::reports
