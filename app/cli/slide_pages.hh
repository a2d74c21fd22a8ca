// The slides of a web site: a page for each topic that was chosen.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/html/index_page.hh"

namespace tcplab::app {

/// Returns the events files of `folder`, as run_folders() does. Throws base::UsageError if one of
/// the topics has no run.
std::vector<std::filesystem::path> runs_with_topics(const std::string& folder,
                                                    const std::vector<std::string>& topics);

/// Returns the path of a topic's slides, relative to the site's folder: "slides/puzzlers.html".
std::string slides_page(const std::string& topic);

/// Returns the addresses of the slides, relative to the index of the runs.
html::SlideAddresses slide_addresses(const std::vector<std::string>& topics);

/// Returns the page with the slides of a topic: of each scenario one run, the first that passed.
/// `entries` are those of the events files.
std::string slides(const std::string& topic, const std::vector<std::filesystem::path>& events,
                   const std::vector<html::IndexEntry>& entries);

}  // namespace tcplab::app
