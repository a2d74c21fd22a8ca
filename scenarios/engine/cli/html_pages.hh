// HTML pages of runs that have left their folders: a file each, and an index of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tcplab::engine {

/// The files of events that `names` mean: files themselves, runs' folders, and folders of those.
/// Throws base::UsageError for one that is nothing of the kind.
std::vector<std::filesystem::path> run_folders(const std::vector<std::string>& names);

/// Writes a page for each into `folder`, which is made, and an index where there are several.
/// Returns the path of the page to open. Throws base::UsageError for a file that is not one of
/// events, base::LabError where a page cannot be written.
std::string write_html(const std::vector<std::filesystem::path>& events, const std::string& folder);

}  // namespace tcplab::engine
