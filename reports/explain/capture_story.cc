#include "reports/explain/capture_story.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <ostream>

#include "base/error.hh"
#include "reports/explain/connection_events.hh"
#include "reports/explain/conversation_text.hh"
#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/scans.hh"
#include "reports/ladder/ladder.hh"
#include "reports/text/hanging.hh"
#include "reports/text/prose.hh"

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostBad = 10;
constexpr std::size_t kMostAlike = 3;  // with the same trouble

void write_ladder(std::ostream& out, const Style& style, const RankedConnection& entry,
                  const CaptureTotals& totals) {
  if (!entry.followed->events)
    return write_hanging(out, "",
                         fmt::format("Its frames were not kept: at most {} connections have a "
                                     "ladder, those of a pipe the first ones. To see it: save "
                                     "the capture to a file, and use --connection {}",
                                     kMostKept, entry.followed->number),
                         Paint::plain, style);
  Ladder ladder(out, style, LadderParts::rows_only);
  ladder.know(EarlierEvents(segments_of(*entry.followed)));
  for (const capture::Event& event :
       events_of(*entry.followed, entry.roles, totals.first_at, entry.facts().around.ends_at))
    ladder.event(event);
  ladder.finish();
}

}  // namespace

CaptureStory::CaptureStory(const FollowedCapture& capture, CaptureStoryOptions options)
    : capture_(capture), options_(std::move(options)), ranking_(capture) {
  if (!options_.only) return;
  const bool is_known = std::ranges::any_of(entries(), [this](const RankedConnection& entry) {
    return entry.followed->number == *options_.only;
  });
  const std::size_t all = entries().size() + capture.totals().forgotten;
  if (*options_.only == 0 || *options_.only > all)
    throw base::UsageError(
        fmt::format("it has {}, and no connection {}", counted(all, "connection"), *options_.only));
  if (!is_known)
    throw base::UsageError(fmt::format(
        "connection {} closed without trouble and was only counted, because the capture has many",
        *options_.only));
}

std::vector<const RankedConnection*> CaptureStory::chosen() const {
  std::vector<const RankedConnection*> chosen;
  const std::size_t most = options_.most.value_or(kMostBad);
  const bool is_alone = entries().size() == 1;
  std::map<Trouble, std::size_t> alike;
  const Scans& scans = ranking_.scans();
  for (const RankedConnection& entry : entries()) {
    if (options_.only) {
      if (entry.followed->number == *options_.only) chosen.push_back(&entry);
      continue;
    }
    if (!scans.stands_alone(entry) && !options_.most) continue;
    const bool is_bad = entry.summary.trouble != Trouble::none;
    const bool is_news = is_bad && ++alike[entry.summary.trouble] <= kMostAlike;
    if (chosen.size() < most && (is_news || is_alone || options_.most)) chosen.push_back(&entry);
  }
  return chosen;
}

void CaptureStory::write(std::ostream& out, const Style& style) const {
  if (options_.only) {
    for (const std::string& note : notes_on(capture_))
      write_hanging(out, "", note, Paint::plain, style);
  } else {
    write_overview(out, style, capture_, ranking_);
  }
  const std::vector<const RankedConnection*> chosen = this->chosen();
  for (const RankedConnection* entry : chosen) write_entry(out, style, *entry);
  if (options_.only || chosen.size() == entries().size()) return;
  const Scans& scans = ranking_.scans();
  const auto bad =
      static_cast<std::size_t>(std::ranges::count_if(entries(), [&](const RankedConnection& entry) {
        return entry.summary.trouble != Trouble::none && scans.stands_alone(entry);
      }));
  out << "\n";
  write_hanging(out, "",
                chosen.size() < bad
                    ? fmt::format("{} of the {} bad connections are described, at most {} of each "
                                  "kind. To see all: --most {}; one: --connection N",
                                  chosen.size(), bad, kMostAlike, bad)
                    : "To see another connection in full: --connection N",
                Paint::plain, style);
}

std::vector<Diagnosis> CaptureStory::diagnoses_of(const RankedConnection& entry) const {
  std::vector<Diagnosis> found = diagnoses(entry.followed->conversation, entry.facts());
  std::erase_if(found, [this](const Diagnosis& diagnosis) {
    return !diagnosis.scenario.empty() && !options_.is_scenario(diagnosis.scenario);
  });
  return found;
}

std::string CaptureStory::words_of(const RankedConnection& entry) const {
  return fmt::format(
      "{}", fmt::join(sentences_of(entry.followed->conversation, entry.facts(), entry.roles), " "));
}

std::string CaptureStory::opinion_of(const RankedConnection& entry) const {
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses_of(entry)) {
    if (!text.empty()) text += diagnosis.is_second ? " Or " : " Also ";
    text += (diagnosis.scenario.empty() ? "" : diagnosis.scenario + ": ") + diagnosis.because + ".";
    if (!diagnosis.others.empty()) text += " The same frames: " + diagnosis.others + ".";
  }
  return text;
}

void CaptureStory::write_entry(std::ostream& out, const Style& style,
                               const RankedConnection& entry) const {
  const auto& talk = entry.followed->conversation;
  std::vector<StyledText> lines;
  const auto add = [&](const std::string& heading, const std::string& text) {
    add_paragraph(lines, heading, text, style);
  };
  out << "\n";
  write_hanging(
      out, "",
      fmt::format("Connection {}: {}", entry.followed->number, title_of(talk, entry.roles)),
      Paint::strong, style);
  const std::vector<Diagnosis> found = diagnoses_of(entry);
  const bool is_good =
      entry.summary.trouble == Trouble::none && found.empty() && !entry.summary.has_remark;
  add("In short", entry.summary.ending + (is_good ? "; nothing is wrong in its frames" : ""));
  add("What happened", words_of(entry));
  for (const Diagnosis& diagnosis : found) {
    const std::string name = diagnosis.scenario.empty() ? "" : diagnosis.scenario + ": ";
    const char* heading = &diagnosis == &found.front() ? "Probably" : "Also";
    add(diagnosis.is_second ? "Or" : heading, name + diagnosis.because);
    add("Same frames", diagnosis.others);
    if (!diagnosis.scenario.empty())
      add("See it happen", "tcplab run --live " + diagnosis.scenario);
  }
  for (const StyledText& line : lines) out << render(line, style) << "\n";
  out << "\n";
  write_ladder(out, style, entry, capture_.totals());
}

}  // namespace tcplab::reports
