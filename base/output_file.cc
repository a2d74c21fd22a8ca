#include "base/output_file.hh"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <deque>
#include <filesystem>
#include <iostream>
#include <set>

#include "base/error.hh"
#include "base/limits.hh"
#include "base/split.hh"

namespace tcplab::base {

namespace {

constexpr const char* kStandardOutput = "-";
constexpr mode_t kFolderMode = 0755;
constexpr mode_t kFileMode = 0644;
constexpr int kMostLinks = 40;  // as path_resolution(7)

/// Refuses a symbolic link that another user made: it may lead to any file of this user.
void require_own(const struct stat& link, const std::string& path, const std::string& name,
                 const std::string& kind) {
  if (link.st_uid == 0 || link.st_uid == ::geteuid()) return;
  throw UsageError(path + ": \"" + name + "\" is a symbolic link of another user (ID " +
                   std::to_string(link.st_uid) + "); choose another " + kind);
}

/// Walks a path one name at a time, so that it sees each symbolic link before it is followed.
class Walk {
public:
  /// Ends in the last folder of `path`. Makes missing ones if `makes` is true. `attempt` is for
  /// error messages.
  Walk(const std::string& path, std::string attempt, bool makes)
      : path_(path), attempt_(std::move(attempt)), makes_(makes) {
    start_at(path);
    add_names(path);
    while (!names_.empty()) {
      const std::string name = names_.front();
      names_.pop_front();
      step(name);
    }
  }

  const FileDescriptor& folder() const { return folder_; }

private:
  void start_at(const std::string& path) {
    const char* const start = path.starts_with('/') ? "/" : ".";
    folder_ = FileDescriptor(check(attempt_, ::open(start, O_PATH | O_DIRECTORY | O_CLOEXEC)));
  }

  /// Puts the names of a path before those that are left.
  void add_names(const std::string& path) {
    std::vector<std::string> names = split(path, '/');
    std::erase(names, "");
    names_.insert(names_.begin(), names.begin(), names.end());
  }

  void step(const std::string& name) {
    constexpr int kFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    int found = ::openat(folder_.get(), name.c_str(), kFlags);
    if (found == -1 && errno == ENOENT && makes_) {
      const int made = ::mkdirat(folder_.get(), name.c_str(), kFolderMode);
      if (made == -1 && errno != EEXIST) throw SystemError(attempt_, errno);
      found = ::openat(folder_.get(), name.c_str(), kFlags);
    }
    FileDescriptor next(check(attempt_, found));
    struct stat status {};
    check(attempt_, ::fstat(next.get(), &status));
    if (S_ISLNK(status.st_mode)) return follow(next, status, name);
    if (!S_ISDIR(status.st_mode)) throw SystemError(attempt_, ENOTDIR);
    folder_ = std::move(next);
  }

  void follow(const FileDescriptor& link, const struct stat& status, const std::string& name) {
    require_own(status, path_, name, "folder");
    if (++links_ > kMostLinks) throw SystemError(attempt_, ELOOP);
    std::string target(PATH_MAX, '\0');
    const long size =
        check("read the symbolic link " + name,
              static_cast<long>(::readlinkat(link.get(), "", target.data(), target.size())));
    target.resize(static_cast<std::size_t>(size));
    if (target.starts_with('/')) start_at(target);
    add_names(target);
  }

  std::string path_;
  std::string attempt_;
  bool makes_;
  FileDescriptor folder_;
  std::deque<std::string> names_;
  int links_ = 0;
};

/// Returns "runs/a" and "b" for "runs/a/b"; "." and "b" for "b".
std::pair<std::string, std::string> split(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

void write_all(const FileDescriptor& file, std::string_view content, const std::string& attempt) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written == -1 && errno == EINTR) continue;
    if (written == -1) throw SystemError(attempt, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Removes a file or a symbolic link. Returns false for anything else, such as a device or a pipe:
/// that is written, and stays.
bool remove_older(int folder, const std::string& name, const std::string& attempt) {
  struct stat status {};
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == -1) {
    if (errno != ENOENT) throw SystemError(attempt, errno);
    return true;
  }
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return false;
  if (::unlinkat(folder, name.c_str(), 0) == -1 && errno != ENOENT)
    throw SystemError(attempt, errno);
  return true;
}

/// Returns true for what several documents may share: a device, a pipe.
bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Makes a file that was not there, and removes it. Permissions do not tell whether that can be
/// done: even root makes no file in /proc.
void try_to_make(const FileDescriptor& folder, const std::string& name,
                 const std::string& attempt) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const FileDescriptor made(
      check(attempt, ::openat(folder.get(), name.c_str(), kFlags, kFileMode)));
  check(attempt, ::unlinkat(folder.get(), name.c_str(), 0));
}

/// A file that a user has named, such as /dev/stdout. A symbolic link at the end of the path is
/// followed, unless another user made it.
class Document {
public:
  explicit Document(const std::string& path)
      : attempt_("write " + path),
        name_(split(path).second),
        walk_(split(path).first, attempt_, false) {
    struct stat status {};
    if (name_.empty()) throw SystemError(attempt_, EISDIR);
    if (::fstatat(folder(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == -1) return;
    is_link_ = S_ISLNK(status.st_mode);
    if (is_link_) require_own(status, path, name_, "file");
  }

  /// Throws if it cannot be written.
  void require() const {
    struct stat status {};
    const bool exists = ::fstatat(folder(), name_.c_str(), &status, 0) == 0;
    if (exists && S_ISDIR(status.st_mode)) throw SystemError(attempt_, EISDIR);
    if (exists) check(attempt_, ::faccessat(folder(), name_.c_str(), W_OK, 0));
    if (exists || is_link_) return;  // a link whose target is missing makes it
    try_to_make(walk_.folder(), name_, attempt_);
  }

  /// Writes at the end, or instead of what it had: O_APPEND, O_TRUNC.
  void write(std::string_view content, int where) const {
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | where | (is_link_ ? 0 : O_NOFOLLOW);
    write_all(FileDescriptor(check(attempt_, ::openat(folder(), name_.c_str(), flags, kFileMode))),
              content, attempt_);
  }

private:
  int folder() const { return walk_.folder().get(); }

  std::string attempt_;
  std::string name_;
  Walk walk_;
  bool is_link_ = false;
};

bool is_disk_full(int error) { return error == ENOSPC || error == EDQUOT; }

/// A place where no folder can be made is an error of the user, unless a limit is reached.
Walk walk_or_refuse(const std::string& path) {
  try {
    return {path, "make the folder " + path, true};
  } catch (const SystemError& error) {
    if (!limit_of_files(error.error()).empty() || is_disk_full(error.error())) throw;
    throw UsageError(std::string(error.what()) + "; choose another folder");
  }
}

}  // namespace

std::string make_output_folder(const std::string& path) {
  const Walk walk = walk_or_refuse(path);
  std::string real(PATH_MAX, '\0');
  const std::string link = "/proc/self/fd/" + std::to_string(walk.folder().get());
  const long size = check("find the folder " + path,
                          static_cast<long>(::readlink(link.c_str(), real.data(), real.size())));
  real.resize(static_cast<std::size_t>(size));
  return real;
}

void require_output_folder(const std::string& path) try {
  if (path.empty()) return;
  const Walk walk = walk_or_refuse(path);
  try_to_make(walk.folder(), ".tcplab-" + std::to_string(::getpid()), "write into " + path);
} catch (const SystemError& error) {
  if (!limit_of_files(error.error()).empty() || is_disk_full(error.error())) throw;
  throw UsageError(std::string(error.what()) + "; choose another folder");
}

FileDescriptor make_output_file(const std::string& path) {
  const std::string attempt = "make " + path;
  const auto [folder, name] = split(path);
  const Walk walk(folder, attempt, false);
  const int at = walk.folder().get();
  constexpr int kFlags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  if (!remove_older(at, name, attempt))
    return FileDescriptor(check(attempt, ::openat(at, name.c_str(), kFlags)));
  return FileDescriptor(
      check(attempt, ::openat(at, name.c_str(), kFlags | O_CREAT | O_EXCL, kFileMode)));
}

void write_output_file(const std::string& path, std::string_view content) {
  write_all(make_output_file(path), content, "write " + path);
}

FileDescriptor make_private_file(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  constexpr mode_t kPrivate = S_IRUSR | S_IWUSR;
  int made = ::open(path.c_str(), kFlags, kPrivate);
  if (made == -1 && errno == EEXIST && ::unlink(path.c_str()) == 0)
    made = ::open(path.c_str(), kFlags, kPrivate);
  return FileDescriptor(check("write " + path, made));
}

void require_document(const std::string& path) try {
  if (!path.empty() && path != kStandardOutput) Document(path).require();
} catch (const SystemError& error) {
  throw UsageError(std::string(error.what()) + "; choose another file");
}

void require_documents(const std::vector<std::string>& paths, int on_standard_output) {
  std::set<std::filesystem::path> files;
  for (const std::string& path : paths) {
    require_document(path);
    if (path == kStandardOutput) ++on_standard_output;
    if (path.empty() || path == kStandardOutput || is_special(path)) continue;
    if (!files.insert(std::filesystem::weakly_canonical(path)).second)
      throw UsageError(path + ": two documents cannot be one file; give them two names");
  }
  if (on_standard_output > 1)
    throw UsageError("only one document can go to standard output; write the others to files");
}

void write_document(const std::string& path, std::string_view content) {
  if (path == kStandardOutput)
    std::cout << content << std::flush;
  else if (!path.empty())
    Document(path).write(content, O_TRUNC);
}

void append_to_document(const std::string& path, std::string_view content) {
  if (path == kStandardOutput)
    std::cout << content << std::flush;
  else if (!path.empty())
    Document(path).write(content, O_APPEND);
}

void copy_content(const std::string& from, const std::string& to,
                  const std::function<void()>& meanwhile) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::string attempt = "copy " + from + " to " + to;
  const FileDescriptor in(check(attempt, ::open(from.c_str(), O_RDONLY | O_CLOEXEC)));
  const FileDescriptor out(check(
      attempt, ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)));
  while (check(attempt, ::sendfile(out.get(), in.get(), nullptr, kPiece)) > 0)
    if (meanwhile) meanwhile();
}

}  // namespace tcplab::base
