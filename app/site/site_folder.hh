// The folder of a site. A new site is made beside an older one and takes its place when it is
// complete, so that a reader never sees half a site.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tcplab::app {

class SiteFolder {
public:
  /// Makes the folder to write into, beside `name`. Throws base::UsageError if `name` exists,
  /// unless it is an empty folder or a site.
  explicit SiteFolder(const std::string& name);
  SiteFolder(const SiteFolder&) = delete;
  SiteFolder& operator=(const SiteFolder&) = delete;
  /// Removes what was written, unless it was published.
  ~SiteFolder();

  /// Returns the folder of the new site.
  const std::filesystem::path& path() const { return made_; }
  /// Writes a file, and makes its folder.
  void write(const std::string& path, std::string_view content) const;
  /// Puts the new site in the place of the older one, and removes the older one.
  void publish();

private:
  std::filesystem::path place_;
  std::filesystem::path made_;
};

}  // namespace tcplab::app
