#include "scenarios/engine/cli/html_pages.hh"

#include <algorithm>
#include <iostream>
#include <set>

#include "base/error.hh"
#include "base/output_file.hh"
#include "capture/event/event_log.hh"
#include "reports/html/index_page.hh"
#include "reports/html/markup.hh"
#include "reports/html/run_page.hh"
#include "reports/text/text.hh"

namespace tcplab::engine {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEvents = "events.jsonl";

html::ToldRun read_run(const fs::path& file) {
  capture::EventReader reader(file.string());
  html::RunGatherer gatherer;
  while (const auto event = reader.next()) gatherer.event(*event);
  gatherer.finish();
  html::ToldRun told = gatherer.take();
  told.is_cut_off = reader.truncated();
  if (told.is_cut_off)
    std::cerr << reports::message(file.string() + ": the last line is incomplete");
  return told;
}

/// Returns links to the files of the run that exist, relative to the pages' folder.
std::vector<html::PageLink> links_to_files(const fs::path& events, const fs::path& folder) {
  std::vector<html::PageLink> links;
  const fs::path run = fs::absolute(events).lexically_normal();
  for (const fs::path& file :
       {run, run.parent_path() / "capture.pcapng", run.parent_path() / "transcript.txt"}) {
    if (!fs::exists(file)) continue;
    std::string address;
    for (const fs::path& part : fs::proximate(file, folder))
      address += (address.empty() ? "" : "/") +
                 (part == ".." ? std::string("..") : html::link_to(part.string()).substr(2));
    links.push_back({file.filename().string(), address});
  }
  return links;
}

/// Returns the name of the run's folder, with a number if it is already taken.
std::string page_name(const fs::path& events, std::set<std::string>& taken) {
  const fs::path folder = fs::weakly_canonical(events).parent_path().filename();
  const std::string stem = events.filename() == kEvents ? folder.string() : events.stem().string();
  std::string name = stem;
  for (int number = 2; !taken.insert(name).second; ++number)
    name = stem + "-" + std::to_string(number);
  return name + ".html";
}

void add_folder(std::vector<fs::path>& found, const fs::path& folder) {
  if (fs::exists(folder / kEvents)) {
    found.push_back(folder / kEvents);
    return;
  }
  std::vector<fs::path> runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / kEvents)) runs.push_back(entry.path() / kEvents);
  if (runs.empty())
    throw base::UsageError(folder.string() + ": no " + kEvents +
                           " here or one folder down; name a folder that tcplab run wrote");
  std::ranges::sort(runs);
  found.insert(found.end(), runs.begin(), runs.end());
}

}  // namespace

std::vector<fs::path> run_folders(const std::vector<std::string>& names) {
  std::vector<fs::path> found;
  for (const std::string& name : names) {
    if (!fs::exists(name)) throw base::UsageError(name + ": no such run");
    if (fs::is_directory(name))
      add_folder(found, name);
    else
      found.emplace_back(name);
  }
  return found;
}

std::string write_html(const std::vector<fs::path>& events, const std::string& folder) {
  const fs::path pages = base::make_output_folder(folder);
  const bool is_suite = events.size() > 1;
  std::set<std::string> taken = {"index"};
  std::vector<html::IndexEntry> entries;
  for (const fs::path& file : events) {
    try {
      const html::ToldRun told = read_run(file);
      const std::string name = page_name(file, taken);
      base::write_output_file(
          (pages / name).string(),
          html::run_page(told, is_suite ? "index.html" : "", links_to_files(file, folder)));
      entries.push_back(html::index_entry(told, name));
    } catch (const base::UsageError& error) {
      if (!is_suite) throw;
      std::cerr << reports::message(error.what());
    }
  }
  if (!is_suite) return (fs::path(folder) / entries.at(0).page).string();
  if (!entries.empty())
    base::write_output_file((pages / "index.html").string(), html::index_page(entries));
  if (entries.size() < events.size())
    throw base::UsageError(std::to_string(entries.size()) + " of " + std::to_string(events.size()) +
                           " pages were written to " + folder);
  return (fs::path(folder) / "index.html").string();
}

}  // namespace tcplab::engine
