#include "app/site/source_tree.hh"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

/// Returns the Markdown files in a folder. "x.in.md" is what another document is made from.
std::vector<std::string> documents_in(const fs::path& root, const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".md") && !name.ends_with(".in.md") && entry.is_regular_file())
      found.push_back((fs::path(folder) / name).string());
  }
  return found;
}

}  // namespace

std::vector<std::string> SourceTree::documents() const {
  if (!fs::is_regular_file(root_ / "README.md"))
    throw base::LabError("cannot find tcplab's documents: no README.md in " +
                         root_.lexically_normal().string() +
                         "; run tcplab from its source tree, or install it again");
  std::vector<std::string> found = documents_in(root_, "");
  for (const char* folder : {"docs", "bench"})
    std::ranges::copy(documents_in(root_, folder), std::back_inserter(found));
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> SourceTree::read(const std::string& path) const {
  std::error_code error;
  if (!fs::is_regular_file(root_ / path, error)) return std::nullopt;
  std::ifstream file(root_ / path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace tcplab::app
