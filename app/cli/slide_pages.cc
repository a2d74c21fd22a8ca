#include "app/cli/slide_pages.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "app/cli/html_pages.hh"
#include "base/error.hh"
#include "base/nearest.hh"
#include "capture/event/event_log.hh"
#include "reports/html/markup.hh"
#include "reports/site/site.hh"
#include "reports/slides/slides.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSlides = "slides";  // the folder, below the site's

/// Returns the topic of a run; empty if the file does not begin with its start.
std::string topic_of(const fs::path& events) {
  capture::EventReader reader(events.string());
  const auto first = reader.next();
  const auto* start = first ? std::get_if<capture::RunStart>(&first->body) : nullptr;
  return start == nullptr ? "" : html::IndexEntry{.page = "", .run = *start}.topic();
}

/// Of the runs of a scenario, slides show the one with the lowest number.
int rank_of(const html::IndexEntry& entry) {
  const bool has_passed = entry.end && entry.end->outcome == capture::Outcome::passed;
  return (has_passed ? 0 : 2) + (entry.run.family == base::Family::ipv4 ? 0 : 1);
}

}  // namespace

std::vector<fs::path> runs_with_topics(const std::string& folder,
                                       const std::vector<std::string>& topics) {
  std::vector<fs::path> events = run_folders({folder});
  if (topics.empty()) return events;
  std::set<std::string> there;
  for (const fs::path& file : events) there.insert(topic_of(file));
  for (const std::string& topic : topics) {
    if (there.contains(topic)) continue;
    const std::string meant = base::probable_words(there, topic);
    throw base::UsageError(fmt::format(
        "{}: no run has the topic \"{}\"{}", folder, topic,
        meant.empty() ? fmt::format("; choose from {}", fmt::join(there, ", ")) : meant));
  }
  return events;
}

std::string slides_page(const std::string& topic) {
  return fmt::format("{}/{}.html", kSlides, topic);
}

html::SlideAddresses slide_addresses(const std::vector<std::string>& topics) {
  html::SlideAddresses addresses;
  for (const std::string& topic : topics)
    addresses[topic] = fmt::format("../{}/{}", kSlides, html::link_to(topic + ".html").substr(2));
  return addresses;
}

std::string slides(const std::string& topic, const std::vector<fs::path>& events,
                   const std::vector<html::IndexEntry>& entries) {
  std::vector<std::size_t> chosen;  // one of each scenario, in their order
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::size_t index = 0; index < entries.size(); ++index) {
    const html::IndexEntry& entry = entries[index];
    if (entry.topic() != topic) continue;
    const auto [place, is_new] =
        places.try_emplace({entry.run.scenario, entry.run.file}, chosen.size());
    if (is_new)
      chosen.push_back(index);
    else if (rank_of(entry) < rank_of(entries[chosen[place->second]]))
      chosen[place->second] = index;
  }
  const std::string pages = fmt::format("../{}/", site::kRunPages);
  reports::Slides slides(topic);
  for (const std::size_t index : chosen)
    slides.add(read_page_run(events[index]), pages + html::link_to(entries[index].page).substr(2));
  return slides.page(pages + "index.html");
}

}  // namespace tcplab::app
