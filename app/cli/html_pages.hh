// Writes web pages of earlier runs: a file for each run, and an index.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/html/index_page.hh"

namespace tcplab::app {

/// Returns the events files that `names` select: a file, the folder of a run, or a folder of such
/// folders. Throws base::UsageError if a name is none of these.
std::vector<std::filesystem::path> run_folders(const std::vector<std::string>& names);

/// Reads the events of a run. Prints a message if the last line is incomplete. Throws
/// base::UsageError if the file is not an events file.
html::PageRun read_page_run(const std::filesystem::path& events);

/// Makes `folder`, writes a page for each events file into it, and an index if there are several.
/// Returns the path of the page to open. Throws base::UsageError if a file is not an events file,
/// and base::LabError if a page cannot be written.
std::string write_html(const std::vector<std::filesystem::path>& events, const std::string& folder);

/// Writes a page for each events file, and an index, into a folder that exists. In a site, copies
/// the files of the runs, up to 8 MiB each, beside the pages. `slides` are the addresses of slides,
/// by topic, for the index. Returns an entry for each page.
/// Prints a message for a file that is not an events file, and goes on. Throws base::LabError if a
/// page cannot be written.
std::vector<html::IndexEntry> write_suite_pages(const std::vector<std::filesystem::path>& events,
                                                const std::filesystem::path& folder,
                                                const std::optional<html::SitePlace>& site = {},
                                                const html::SlideAddresses& slides = {});

}  // namespace tcplab::app
