#include "lab/home/surroundings.hh"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/error.hh"
#include "base/split.hh"

namespace tcplab::lab {

namespace fs = std::filesystem;

namespace {

/// Whether `socket` of dnc's REPL takes the run's family.
bool is_plain_repl(const std::vector<std::string>& command) {
  const auto has = [&](const char* word) {
    return std::ranges::find(command, word) != command.end();
  };
  return has("--repl") && !has("-l") && !has("--listen") && !has("-4") && !has("-6");
}

std::vector<fs::path> folders_in_path() {
  const char* path = std::getenv("PATH");
  std::vector<fs::path> folders;
  for (const std::string& folder : base::split(path != nullptr ? path : "", ':'))
    if (folder.starts_with('/')) folders.emplace_back(folder);
  return folders;
}

std::string dnc_program() {
  const fs::path own = fs::canonical("/proc/self/exe").parent_path();
  std::vector<fs::path> folders = folders_in_path();
  folders.insert(folders.begin(), own);
  for (const fs::path& folder : folders)
    if (std::error_code error; fs::exists(folder / "dnc", error)) return folder / "dnc";
  throw base::LabError("dnc is neither in " + own.string() +
                       " nor in PATH; put it beside tcplab, or install both");
}

}  // namespace

netns::Environment clean_environment() {
  constexpr std::array kKept = {"PATH", "HOME", "LANG", "TERM"};
  netns::Environment clean;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const auto end = variable.find('=');
    if (end == std::string_view::npos) continue;
    const std::string_view name = variable.substr(0, end);
    if (name.starts_with("LC_") || std::ranges::find(kKept, name) != kKept.end())
      clean.emplace_back(name, variable.substr(end + 1));
  }
  return clean;
}

netns::Containment usual_containment(const fs::path& script) {
  std::error_code unknown;
  netns::Containment containment;
  for (const fs::path& folder :
       {fs::current_path(unknown), fs::canonical("/proc/self/exe", unknown).parent_path(),
        fs::weakly_canonical(script, unknown).parent_path()})
    if (!folder.empty()) containment.shown.push_back(folder.string());
  for (const fs::path& folder : folders_in_path()) containment.shown.push_back(folder.string());
  return containment;
}

std::vector<std::string> dnc_command(const std::vector<std::string>& words, base::Family family) {
  std::vector<std::string> command = words;
  command.front() = dnc_program();
  command.insert(command.begin() + 1, {"--quiet", "--events", "3", "--keep-children"});
  if (is_plain_repl(words))
    command.insert(command.begin() + 1, family == base::Family::ipv6 ? "-6" : "-4");
  return command;
}

}  // namespace tcplab::lab
