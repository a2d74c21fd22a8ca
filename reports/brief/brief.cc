#include "reports/brief/brief.hh"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "reports/brief/omissions.hh"
#include "reports/html/highlights.hh"
#include "reports/text/frame_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using html::PageRun;

constexpr std::size_t kMostRows = 17;    // with gaps and pauses
constexpr std::size_t kFewestSteps = 5;  // of the ranked ones, even if there are more rows then

/// Hosts that start or lose power have no row: they change how the lifelines look.
bool has_no_row(const Step& step) {
  return std::holds_alternative<HostStep>(step.content) ||
         std::holds_alternative<DarkStep>(step.content);
}

bool is_quiet(const Step& step) { return std::holds_alternative<Quiet>(step.content); }

/// Adds the other step of each held or delayed frame.
std::set<std::size_t> with_whole_frames(const PageRun& page, const std::set<std::size_t>& steps) {
  std::set<std::uint64_t> frames;
  for (const std::size_t index : steps)
    if (const capture::Packet* packet = page.packet_of(page.steps[index]);
        packet != nullptr && packet->frame != 0)
      frames.insert(packet->frame);
  std::set<std::size_t> whole = steps;
  for (std::size_t index = 0; index < page.steps.size(); ++index) {
    const capture::Packet* packet = page.packet_of(page.steps[index]);
    if (packet != nullptr && frames.contains(packet->frame)) whole.insert(index);
  }
  return whole;
}

/// Copies the chosen steps, and puts gaps between them.
class Abridger {
public:
  Abridger(const PageRun& page, const std::vector<StepKind>& kinds) : page_(page), kinds_(kinds) {}

  Brief abridge(const std::set<std::size_t>& chosen) {
    for (std::size_t index = 0; index < page_.steps.size(); ++index) {
      const Step& step = page_.steps[index];
      if (has_no_row(step)) {
        put(step, index);
      } else if (chosen.contains(index)) {
        end_gap(step.at);
        show(index);
      } else {
        omitted_.push_back(index);
      }
    }
    end_gap(std::nullopt);
    return std::move(brief_);
  }

private:
  std::vector<Step>& steps() { return brief_.page.steps; }

  /// Puts a step, with what is known after the step `seen` of the run.
  void put(const Step& step, std::size_t seen) {
    steps().push_back(step);
    if (seen < page_.views.size()) brief_.page.views.push_back(page_.views[seen]);
  }

  void show(std::size_t index) {
    const Step& step = page_.steps[index];
    if (!is_quiet(step)) ++brief_.shown;
    if (step.at) last_ = step.at;
    put(step, index);
  }

  void end_gap(const std::optional<capture::Instant>& next) {
    const auto tells = [this](std::size_t index) { return kinds_[index] != StepKind::nothing; };
    const auto telling = std::ranges::count_if(omitted_, tells);
    if (telling > 1)
      put_gap(next);
    else
      put_steps();
    omitted_.clear();
  }

  void put_gap(const std::optional<capture::Instant>& next) {
    Omissions omissions;
    Step step{std::nullopt, Remark{}};
    for (const std::size_t index : omitted_) {
      omissions.add(page_, index, kinds_[index]);
      const Step& omitted = page_.steps[index];
      step.events.insert(step.events.end(), omitted.events.begin(), omitted.events.end());
    }
    const std::optional<capture::Instant> end = next ? next : page_.steps[omitted_.back()].at;
    const Gap gap = omissions.gap(last_ && end ? *end - *last_ : capture::nanoseconds{});
    step.content = Remark{gap.text};
    brief_.gaps.emplace(steps().size(), gap);
    put(step, omitted_.back());
  }

  /// Puts the only step that tells something, and one pause for several.
  void put_steps() {
    for (const std::size_t index : omitted_) {
      const Step& step = page_.steps[index];
      auto* before = steps().empty() ? nullptr : std::get_if<Quiet>(&steps().back().content);
      if (kinds_[index] != StepKind::nothing)
        show(index);
      else if (is_quiet(step) && before != nullptr)
        before->span += std::get<Quiet>(step.content).span;
      else if (is_quiet(step))
        show(index);
    }
  }

  const PageRun& page_;
  const std::vector<StepKind>& kinds_;
  Brief brief_;
  std::vector<std::size_t> omitted_;
  std::optional<capture::Instant> last_;
};

std::size_t rows_of(const Brief& brief) {
  return std::size_t(
      std::ranges::count_if(brief.page.steps, [](const Step& step) { return !has_no_row(step); }));
}

std::string outcome_of(const PageRun& page) {
  return page.end ? outcome_word(page.end->outcome).text() : "not finished";
}

}  // namespace

Brief brief_of(PageRun page) {
  const std::vector<std::size_t> ranked = html::highlights(page);
  const std::vector<StepKind> kinds = kinds_of(page);
  Brief best;
  for (std::size_t most = std::min(kMostBriefSteps, ranked.size());; --most) {
    const std::set<std::size_t> chosen(ranked.begin(), ranked.begin() + std::ptrdiff_t(most));
    best = Abridger(page, kinds).abridge(with_whole_frames(page, chosen));
    if (most <= kFewestSteps || (best.shown <= kMostBriefSteps && rows_of(best) <= kMostRows))
      break;
  }
  best.all = std::size_t(std::ranges::count_if(
      page.steps, [](const Step& step) { return !has_no_row(step) && !is_quiet(step); }));
  page.steps = std::move(best.page.steps);
  page.views = std::move(best.page.views);
  best.page = std::move(page);
  return best;
}

std::string foot_of(const Brief& brief) {
  std::string text = fmt::format("{} of {}", brief.shown, counted(brief.all, "step"));
  if (brief.page.left_out != 0) text += " and of " + counted(brief.page.left_out, "later event");
  text += " · " + outcome_of(brief.page);
  if (!brief.page.run) return text;
  capture::RunStart run = *brief.page.run;
  run.source.clear();
  return text + " · " + conditions(run);
}

std::string title_of(const Brief& brief) {
  if (!brief.page.run) return "A run";
  return brief.page.run->title.empty() ? brief.page.run->scenario : brief.page.run->title;
}

}  // namespace tcplab::reports
