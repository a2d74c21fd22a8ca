// Writes web pages of earlier runs: a file for each run, and an index.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tcplab::engine {

/// Returns the events files that `names` select: a file, the folder of a run, or a folder of such
/// folders. Throws base::UsageError if a name is none of these.
std::vector<std::filesystem::path> run_folders(const std::vector<std::string>& names);

/// Makes the folder and its parents. Throws base::LabError if that fails.
void make_folder(const std::string& folder);

/// Throws base::LabError if the file cannot be written.
void write_file(const std::filesystem::path& file, const std::string& content);

/// Makes `folder`, writes a page for each events file into it, and an index if there are several.
/// Returns the path of the page to open. Throws base::UsageError if a file is not an events file,
/// and base::LabError if a page cannot be written.
std::string write_html(const std::vector<std::filesystem::path>& events, const std::string& folder);

}  // namespace tcplab::engine
