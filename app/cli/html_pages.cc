#include "app/cli/html_pages.hh"

#include <algorithm>
#include <iostream>
#include <set>

#include "base/error.hh"
#include "base/output_file.hh"
#include "capture/event/event_log.hh"
#include "lab/record/host_captures.hh"
#include "reports/html/index_page.hh"
#include "reports/html/markup.hh"
#include "reports/html/run_page.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEvents = "events.jsonl";
constexpr std::uintmax_t kLargestCopy = 8 << 20;
constexpr fs::perms kReadable =
    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;

/// Returns the files of the run that exist.
std::vector<fs::path> files_of(const fs::path& events) {
  const fs::path run = fs::absolute(events).lexically_normal();
  const fs::path folder = run.parent_path();
  std::vector<fs::path> files = {run, folder / "capture.pcapng", folder / "transcript.txt"};
  const std::vector<fs::path> captures = lab::host_captures_in(folder);
  files.insert(files.begin() + 2, captures.begin(), captures.end());
  std::erase_if(files, [](const fs::path& file) { return !fs::exists(file); });
  return files;
}

/// Copies the files into `folder`, without those that are too large for a web site. A symbolic link
/// is left out: whoever made the run could publish any file with it. Returns the copies.
std::vector<fs::path> copied(const std::vector<fs::path>& files, const fs::path& folder) {
  std::vector<fs::path> copies;
  for (const fs::path& file : files) {
    if (!fs::is_regular_file(fs::symlink_status(file)) || fs::file_size(file) > kLargestCopy)
      continue;
    copies.push_back(folder / file.filename());
    fs::create_directories(folder);
    base::copy_content(file, copies.back());
    fs::permissions(copies.back(), kReadable);
  }
  return copies;
}

/// Returns links to the files, relative to the pages' folder.
std::vector<html::PageLink> links_to(const std::vector<fs::path>& files, const fs::path& folder) {
  std::vector<html::PageLink> links;
  for (const fs::path& file : files) {
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

html::PageRun read_page_run(const fs::path& file) {
  capture::EventReader reader(file.string());
  html::RunGatherer gatherer;
  while (const auto event = reader.next()) gatherer.event(*event);
  gatherer.finish();
  html::PageRun run = gatherer.take();
  run.is_cut_off = reader.truncated();
  if (run.is_cut_off)
    std::cerr << reports::message(file.string() + ": the last line is incomplete");
  return run;
}

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
  if (events.size() == 1) {
    std::set<std::string> taken;
    const std::string name = page_name(events.front(), taken);
    base::write_output_file((pages / name).string(),
                            html::run_page(read_page_run(events.front()), "",
                                           links_to(files_of(events.front()), folder)));
    return (fs::path(folder) / name).string();
  }
  const auto entries = write_suite_pages(events, pages);
  if (entries.size() < events.size())
    throw base::UsageError(std::to_string(entries.size()) + " of " + std::to_string(events.size()) +
                           " pages were written to " + folder);
  return (fs::path(folder) / "index.html").string();
}

std::vector<html::IndexEntry> write_suite_pages(const std::vector<fs::path>& events,
                                                const fs::path& folder,
                                                const std::optional<html::SitePlace>& site,
                                                const html::SlideAddresses& slides) {
  std::set<std::string> taken = {"index"};
  std::vector<html::IndexEntry> entries;
  for (const fs::path& file : events) {
    try {
      const html::PageRun run = read_page_run(file);
      const std::string name = page_name(file, taken);
      std::vector<fs::path> files = files_of(file);
      if (site) files = copied(files, folder / fs::path(name).stem());
      base::write_output_file((folder / name).string(),
                              html::run_page(run, "index.html", links_to(files, folder), site));
      entries.push_back(html::index_entry(run, name));
    } catch (const base::UsageError& error) {
      std::cerr << reports::message(error.what());
    }
  }
  if (!entries.empty())
    base::write_output_file((folder / "index.html").string(),
                            html::index_page(entries, site, slides));
  return entries;
}

}  // namespace tcplab::app
