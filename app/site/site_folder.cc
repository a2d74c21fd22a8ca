#include "app/site/site_folder.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/error.hh"
#include "base/output_file.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

/// A file that shows that tcplab made the folder, and may replace it.
constexpr const char* kMark = ".tcplab-site";
constexpr std::string_view kMarkText =
    "tcplab site made this folder. It replaces the folder when it makes the site again.\n";

bool is_site(const fs::path& folder) { return fs::is_regular_file(folder / kMark); }

/// Returns the place of the site without symbolic links. Its parents exist afterwards.
fs::path place_of(const std::string& name) {
  fs::path path = fs::path(name).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "site/"
  const std::string last = path.filename().string();
  if (last.empty() || last == "." || last == "..")
    throw base::UsageError(name + ": name a folder for the site, such as site");
  const fs::path parent = path.parent_path();
  return fs::path(base::make_output_folder(parent.empty() ? "." : parent.string())) / last;
}

void check_replaceable(const fs::path& place, const std::string& name) {
  const fs::file_status status = fs::symlink_status(place);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status))
    throw base::UsageError(name + ": not a folder; name another place for the site");
  if (!fs::is_empty(place) && !is_site(place))
    throw base::UsageError(name +
                           ": the folder is not empty, and tcplab site did not make it; "
                           "name a new folder");
}

/// Makes a folder with an unused name beside the place.
fs::path make_folder_beside(const fs::path& place) {
  std::string name = (place.parent_path() / ("." + place.filename().string() + ".new-XXXXXX"));
  if (::mkdtemp(name.data()) == nullptr)
    throw base::UsageError(
        base::SystemError("make a folder in " + place.parent_path().string(), errno).what() +
        std::string("; name another place for the site"));
  base::check("make the folder " + name + " readable", ::chmod(name.c_str(), 0755));
  return name;
}

/// Exchanges two folders (renameat2(2)). Returns false if the file system cannot.
bool exchange(const fs::path& one, const fs::path& other) {
  if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0)
    return true;
  if (errno != EINVAL && errno != ENOSYS)
    throw base::SystemError("put the site into " + other.string(), errno);
  return false;
}

}  // namespace

SiteFolder::SiteFolder(const std::string& name) : place_(place_of(name)) {
  check_replaceable(place_, name);
  made_ = make_folder_beside(place_);
}

SiteFolder::~SiteFolder() {
  std::error_code ignored;
  if (!made_.empty()) fs::remove_all(made_, ignored);
}

void SiteFolder::write(const std::string& path, std::string_view content) const {
  const fs::path file = made_ / path;
  base::make_output_folder(file.parent_path().string());
  base::write_output_file(file.string(), content);
}

void SiteFolder::publish() {
  write(kMark, kMarkText);
  check_replaceable(place_, place_.string());  // again: the runs took minutes
  if (fs::exists(place_) && exchange(made_, place_))
    return;  // the destructor removes the older one
  fs::remove_all(place_);
  fs::rename(made_, place_);
  made_.clear();
}

}  // namespace tcplab::app
