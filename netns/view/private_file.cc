#include "netns/view/private_file.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/error.hh"
#include "base/escape.hh"
#include "base/file_descriptor.hh"

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

constexpr std::array kPrivate = {"/tmp", "/var/tmp", "/run", "/dev/shm"};
constexpr mode_t kFolderMode = 0755;

/// Returns the private folder that the path is below; empty if there is none.
std::string private_folder(const std::string& path) {
  for (const char* folder : kPrivate)
    if (path.starts_with(std::string(folder) + "/")) return folder;
  return "";
}

/// The reason why an entry cannot be entered as a folder.
std::string obstacle(int folder, const std::string& name, int error) {
  struct stat status {};
  if (error == ENOTDIR && ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    return S_ISLNK(status.st_mode) ? "is a symbolic link, which host:file does not follow"
                                   : "is a file, not a folder";
  return "cannot be entered: " + base::errno_name(error);
}

class FileWriter {
public:
  explicit FileWriter(const PrivateFile& file) : file_(file) {}

  void write() {
    const std::string top = private_folder(file_.path);
    // The machine may have a link at /var/tmp, which no program can change. Programs can change
    // /dev/shm.
    const int follow = top == "/dev/shm" ? O_NOFOLLOW : 0;
    folder_ = FileDescriptor(check(::open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | follow)));
    fs::path entered = top;
    const fs::path below = fs::path(file_.path).lexically_relative(top);
    for (const fs::path& part : below.parent_path()) enter(entered /= part);
    replace(below.filename().string());
  }

private:
  int check(int result) const {
    if (result == -1 && errno == EROFS)
      throw base::LabError("cannot write " + file_.path +
                           ": it is in a folder of the machine, which hosts can only read");
    return base::check("write " + file_.path, result);
  }

  void enter(const fs::path& path) {
    const std::string name = path.filename().string();
    constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    FileDescriptor next(::openat(folder_.get(), name.c_str(), kFlags));
    if (!next && errno == ENOENT) {
      check(::mkdirat(folder_.get(), name.c_str(), kFolderMode));
      next = FileDescriptor(check(::openat(folder_.get(), name.c_str(), O_DIRECTORY | O_NOFOLLOW)));
      give(next.get(), kFolderMode);
    }
    if (!next)
      throw base::LabError("cannot write " + file_.path + ": " + path.string() + " " +
                           obstacle(folder_.get(), name, errno));
    folder_ = std::move(next);
  }

  void give(int descriptor, mode_t mode) const {
    if (file_.owner) check(::fchown(descriptor, file_.owner->user, file_.owner->group));
    check(::fchmod(descriptor, mode));
  }

  void fill(int descriptor) const {
    std::size_t written = 0;
    while (written < file_.text.size()) {
      const ssize_t size =
          ::write(descriptor, file_.text.data() + written, file_.text.size() - written);
      if (size == -1 && errno == EINTR) continue;
      written += static_cast<std::size_t>(check(static_cast<int>(size)));
    }
    give(descriptor, file_.mode);
  }

  /// A program that reads the earlier file meanwhile reads it to its end.
  void replace(const std::string& name) const {
    const std::string draft = ".tcplab-" + std::to_string(::getpid());
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const FileDescriptor file(check(::openat(folder_.get(), draft.c_str(), kFlags, 0600)));
    try {
      fill(file.get());
      check(::renameat(folder_.get(), draft.c_str(), folder_.get(), name.c_str()));
    } catch (const base::LabError&) {
      ::unlinkat(folder_.get(), draft.c_str(), 0);
      throw;
    }
  }

  const PrivateFile& file_;
  FileDescriptor folder_;
};

}  // namespace

void require_private(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw base::UsageError("the path \"" + base::c_escape(path) + "\" " + why);
  };
  if (path.find('\0') != std::string::npos) refuse("has a NUL byte");
  if (!path.starts_with('/')) refuse("is relative; begin it with a slash: \"/tmp/" + path + "\"");
  if (path.ends_with('/')) refuse("ends with a slash, so it names no file");
  const auto is_jump = [](const fs::path& part) { return part == "." || part == ".."; };
  if (const fs::path parts = path; std::any_of(parts.begin(), parts.end(), is_jump))
    refuse("has a part \".\" or \"..\"; write the whole path");
  if (private_folder(path).empty())
    refuse(
        "is outside of the private folders of a host; write below /tmp, /var/tmp, /run or "
        "/dev/shm");
}

void write_private(const PrivateFile& file) { FileWriter(file).write(); }

}  // namespace tcplab::netns
