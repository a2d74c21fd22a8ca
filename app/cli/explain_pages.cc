#include "app/cli/explain_pages.hh"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/explain/connection_events.hh"
#include "reports/explain/conversation_text.hh"
#include "reports/html/capture_index.hh"
#include "reports/html/run_page.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;
using reports::RankedConnection;

std::string page_name(const RankedConnection& entry) {
  return fmt::format("connection-{}.html", entry.followed->number);
}

/// Returns the first event of a page: what a run has in its header, said of a connection.
capture::Event header_of(const RankedConnection& entry, const reports::CaptureStory& story,
                         const std::string& file) {
  const auto& talk = entry.followed->conversation;
  capture::RunStart start;
  start.title =
      fmt::format("Connection {} of {}: {}", entry.followed->number, file, entry.summary.ending);
  start.asks = story.words_of(entry);
  start.why = story.opinion_of(entry);
  start.source = reports::title_of(talk, entry.roles);
  start.family = talk.end(0).address.address.family;
  return {.number = 0, .at = {}, .body = std::move(start)};
}

html::PageRun page_run(const RankedConnection& entry, const reports::CaptureStory& story,
                       const std::string& file, const reports::CaptureTotals& totals) {
  html::RunGatherer gatherer;
  gatherer.know(reports::EarlierEvents(reports::segments_of(*entry.followed)));
  gatherer.event(header_of(entry, story, file));
  for (const capture::Event& event : reports::events_of(
           *entry.followed, entry.roles, totals.first_at, entry.facts().around.ends_at))
    gatherer.event(event);
  gatherer.finish();
  html::PageRun run = gatherer.take();
  run.is_capture = true;
  return run;
}

/// Returns how to get pages of the other bad connections; empty if they have pages. `pages` as in
/// table_of().
std::string hint_of(const reports::CaptureStory& story,
                    const std::map<std::size_t, std::string>& pages) {
  const auto is_bad = [](const RankedConnection& entry) {
    return entry.summary.trouble != reports::Trouble::none;
  };
  const auto bad = std::ranges::count_if(story.entries(), is_bad);
  const auto shown = std::ranges::count_if(story.entries(), [&](const RankedConnection& entry) {
    return is_bad(entry) && pages.contains(entry.followed->number);
  });
  if (shown >= bad) return "";
  constexpr auto kMost = static_cast<std::ptrdiff_t>(reports::kMostKept);
  const std::string text =
      fmt::format("{} of the {} connections in trouble have pages", shown, bad);
  if (shown >= kMost)
    return text + ", the most that one command writes. For another: --connection N.";
  if (bad > kMost)
    return text + fmt::format(". For pages of the worst {}: --most {}; of one: --connection N.",
                              kMost, kMost);
  return text + fmt::format(". For a page of each: --most {}; of one: --connection N.", bad);
}

/// `pages` are the pages of the connections that have one, by their numbers.
html::CaptureTable table_of(const reports::FollowedCapture& capture,
                            const reports::CaptureStory& story, const std::string& file,
                            const std::map<std::size_t, std::string>& pages) {
  html::CaptureTable table{.title = file,
                           .paragraphs = reports::overview_sentences(capture, story.ranking()),
                           .headings = reports::overview_headings()};
  if (std::string hint = hint_of(story, pages); !hint.empty())
    table.paragraphs.push_back(std::move(hint));
  std::set<const reports::Followed*> chosen;
  for (const RankedConnection* entry : story.chosen()) chosen.insert(entry->followed);
  for (auto& [entry, cells, trouble] :
       reports::overview_rows(story.ranking(), capture.totals().first_at, chosen)) {
    html::CaptureRow row{.cells = std::move(cells), .is_bad = trouble != reports::Trouble::none};
    if (entry != nullptr) {
      const auto page = pages.find(entry->followed->number);
      if (page != pages.end()) row.page = page->second;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A file in the folder, which says of which capture its pages are.
constexpr const char* kMark = ".tcplab-capture";

/// Returns the text of the mark; empty for a pipe, which is another capture each time.
std::string mark_of(const std::string& file) {
  return fs::is_regular_file(file) ? fs::canonical(file).string() + "\n" : "";
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool has_pages(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "index.html" || (name.starts_with("connection-") && name.ends_with(".html")))
      return true;
  }
  return false;
}

/// Makes the folder, or takes one whose pages may be replaced.
fs::path pages_folder(const std::string& folder, const std::string& file) {
  fs::path made = base::make_output_folder(folder);
  const std::string mark = mark_of(file);
  const bool is_ours = !mark.empty() && content_of(made / kMark) == mark;
  if (!is_ours && has_pages(made))
    throw base::UsageError(folder +
                           ": has pages of another capture or of runs; name another folder, or "
                           "delete these pages");
  base::write_output_file((made / kMark).string(), mark);
  return made;
}

}  // namespace

std::string write_capture_pages(const reports::FollowedCapture& capture,
                                const reports::CaptureStory& story, const std::string& file,
                                const std::string& folder) {
  const std::string name = file == "-" ? "standard input" : fs::path(file).filename().string();
  const fs::path made = pages_folder(folder, file);
  const bool has_index = story.entries().size() > 1;
  std::map<std::size_t, std::string> pages;  // by the connection's number
  for (const RankedConnection* entry : story.chosen()) {
    if (entry->followed->events == nullptr) continue;  // there are more than kMostKept
    const std::string page = page_name(*entry);
    pages[entry->followed->number] = page;
    base::write_output_file((made / page).string(),
                            html::run_page(page_run(*entry, story, name, capture.totals()),
                                           has_index ? "index.html" : ""));
  }
  if (!has_index) return (fs::path(folder) / pages.begin()->second).string();
  base::write_output_file((made / "index.html").string(),
                          html::capture_index(table_of(capture, story, name, pages)));
  return (fs::path(folder) / "index.html").string();
}

}  // namespace tcplab::app
