#include "netns/view/containment.hh"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

constexpr const char* kTemporary = "/tmp";
// Of all files in the private folders of a host together. It bounds what a program can fill.
constexpr const char* kTemporaryOptions = "size=1g,mode=755";
constexpr std::array kPrivateFolders = {"/var/tmp", "/run",
                                        "/tmp"};  // /tmp is the last: it has the others
constexpr std::array kDevices = {"null", "zero", "full", "random", "urandom", "tty"};
constexpr mode_t kEverybody = 01777;

/// A mount of this namespace (proc_pid_mountinfo(5)).
struct Mount {
  std::string path;
  unsigned long flags = 0;
};

/// Turns "\040" into a space, as in /proc/self/mountinfo.
std::string unescaped(const std::string& text) {
  constexpr std::size_t kDigits = 3;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + kDigits < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, kDigits), nullptr, 8));
      i += kDigits;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The flags that a remount has to repeat. Those of an outer user namespace are locked. The kernel
/// keeps those about access times (do_mount()).
unsigned long flags_of(const std::string& options) {
  constexpr std::array<std::pair<const char*, unsigned long>, 3> kNames = {
      {{"nosuid", MS_NOSUID}, {"nodev", MS_NODEV}, {"noexec", MS_NOEXEC}}};
  unsigned long flags = 0;
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');)
    for (const auto& [name, flag] : kNames)
      if (word == name) flags |= flag;
  return flags;
}

std::vector<Mount> mounts() {
  std::vector<Mount> found;
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, path, options;
    fields >> id >> parent >> device >> root >> path >> options;
    found.push_back({unescaped(path), flags_of(options)});
  }
  if (found.empty()) throw base::LabError("cannot read /proc/self/mountinfo");
  return found;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool is_read_only(const std::string& path) {
  struct statvfs status {};
  if (::statvfs(path.c_str(), &status) == -1) return true;  // nobody gets there
  return (status.f_flag & ST_RDONLY) != 0;
}

void make_read_only(const Mount& mount) {
  const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | mount.flags;
  if (::mount(nullptr, mount.path.c_str(), nullptr, flags, nullptr) == 0) return;
  const int error = errno;
  // Another mount may cover it. Then the path is that of the other.
  if (!is_read_only(mount.path))
    throw base::SystemError("make " + mount.path + " read-only", error);
}

/// /proc is locked by lock_proc(), because programs write into the folders of their processes.
void make_all_read_only() {
  for (const Mount& mount : mounts())
    if (mount.path != "/proc" && !is_below(mount.path, "/proc")) make_read_only(mount);
}

void bind(const std::string& from, const std::string& to) {
  base::check("mount " + to, ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr));
}

void bind_read_only(const std::string& path) {
  bind(path, path);
  make_read_only({path, MS_NOSUID | MS_NODEV | MS_NOEXEC});
}

/// Makes what is about the machine, not about one process, read-only: sys, irq, bus, mtrr. Hides
/// files that only root may read, such as kcore, kmsg and sysrq-trigger.
void lock_proc() {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string path = entry.path().string();
    const std::string name = entry.path().filename().string();
    struct stat status {};
    if (std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
    if (::lstat(path.c_str(), &status) == -1 || S_ISLNK(status.st_mode)) continue;
    if (S_ISREG(status.st_mode) && (status.st_mode & S_IROTH) == 0)
      bind("/dev/null", path);
    else if (S_ISDIR(status.st_mode) || (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0)
      bind_read_only(path);
  }
}

void make_folder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) == -1 && errno != EEXIST)
    throw base::SystemError("make " + path, errno);
  base::check("change the mode of " + path, ::chmod(path.c_str(), mode));
}

std::string at(const std::string& name) { return std::string(kTemporary) + "/" + name; }

std::string path_of(const FileDescriptor& descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor.get());
}

FileDescriptor handle_of(const std::string& path) {
  return FileDescriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
}

/// A folder or a device of the machine that is mounted again where a private folder covers it.
struct Kept {
  std::string path;
  FileDescriptor handle;
};

bool is_covered(const std::string& path) {
  return std::ranges::any_of(kPrivateFolders,
                             [&](const char* folder) { return is_below(path, folder); });
}

std::vector<Kept> keep_shown(const Containment& containment) {
  std::vector<Kept> kept;
  for (const std::string& folder : containment.shown) {
    std::error_code unknown;
    const std::string path = fs::weakly_canonical(folder, unknown).string();
    FileDescriptor handle = handle_of(path);
    if (is_covered(path) && handle) kept.push_back({path, std::move(handle)});
  }
  return kept;
}

std::vector<Kept> keep_devices() {
  std::vector<Kept> kept;
  kept.reserve(kDevices.size());
  for (const char* device : kDevices)
    kept.push_back({device, handle_of(std::string("/dev/") + device)});
  return kept;
}

/// Makes /dev: devices without a state of the machine, and pseudoterminals of the host's own.
void make_devices(const std::vector<Kept>& devices) {
  for (const auto& [name, handle] : devices) {
    if (!handle) continue;  // a container may lack it
    const FileDescriptor target(base::check(
        "make /dev/" + name, ::open(at("dev/" + name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0)));
    bind(path_of(handle), at("dev/" + name));
  }
  make_folder(at("dev/pts"), 0755);
  make_folder(at("dev/shm"), kEverybody);
  base::check("mount /dev/pts",
              ::mount("devpts", at("dev/pts").c_str(), "devpts", MS_NOSUID | MS_NOEXEC,
                      "newinstance,ptmxmode=666,mode=620"));
  constexpr std::array<std::pair<const char*, const char*>, 5> kLinks = {
      {{"ptmx", "pts/ptmx"},
       {"fd", "/proc/self/fd"},
       {"stdin", "/proc/self/fd/0"},
       {"stdout", "/proc/self/fd/1"},
       {"stderr", "/proc/self/fd/2"}}};
  for (const auto& [name, target] : kLinks)
    base::check("make /dev/" + std::string(name),
                ::symlink(target, at(std::string("dev/") + name).c_str()));
}

/// Mounts one tmpfs, and each private folder from it.
void make_private_folders(const std::vector<Kept>& devices) {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV;
  base::check("mount a tmpfs", ::mount("tmpfs", kTemporary, "tmpfs", kFlags, kTemporaryOptions));
  make_folder(at("dev"), 0755);
  make_devices(devices);
  bind(at("dev"), "/dev");
  for (const char* folder : kPrivateFolders) {
    if (::access(folder, F_OK) == -1) continue;  // a minimal system may lack it
    std::string name = folder;
    std::ranges::replace(name, '/', '-');
    make_folder(at(name), std::string(folder) == "/run" ? 0755 : kEverybody);
    bind(at(name), folder);
  }
}

void show_again(const std::vector<Kept>& shown) {
  for (const auto& [path, handle] : shown) {
    fs::create_directories(path);
    bind(path_of(handle), path);
  }
}

bool keeps(Privileges privileges, unsigned capability) {
  constexpr std::array kServer = {
      CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FOWNER,           CAP_FSETID,  CAP_KILL,      CAP_SETGID,
      CAP_SETUID, CAP_SETPCAP,      CAP_NET_BIND_SERVICE, CAP_NET_RAW, CAP_SYS_CHROOT};
  if (privileges == Privileges::net_admin && capability == CAP_NET_ADMIN) return true;
  return std::ranges::find(kServer, static_cast<int>(capability)) != kServer.end();
}

/// Root would inherit them at exec(3), even those that the bounding set lacks.
void clear_inheritable() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  base::check("read the capabilities", ::syscall(SYS_capget, &header, sets.data()));
  for (__user_cap_data_struct& set : sets) set.inheritable = 0;
  base::check("change the capabilities", ::syscall(SYS_capset, &header, sets.data()));
}

bool is_root_of_the_machine() {
  std::ifstream map("/proc/self/uid_map");
  unsigned long inside = 1, outside = 1, count = 0;
  map >> inside >> outside >> count;
  return inside == 0 && outside == 0 && count > 1;
}

}  // namespace

void contain_files(const Containment& containment) {
  const std::vector<Kept> shown = keep_shown(containment);
  const std::vector<Kept> devices = keep_devices();
  make_all_read_only();
  make_private_folders(devices);
  show_again(shown);
  lock_proc();
}

void drop_privileges(Privileges privileges) {
  if (privileges == Privileges::all) return;
  // In the moment before exec(3) the process has the lab's memory. No program may look into it.
  base::check("protect a process", ::prctl(PR_SET_DUMPABLE, 0));
  if (!is_root_of_the_machine())
    base::check("set no_new_privs", ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);  // fails in some containers
  clear_inheritable();
  for (unsigned capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability)
    if (!keeps(privileges, capability))
      base::check("drop a capability", ::prctl(PR_CAPBSET_DROP, capability));
}

void erase_environment() {
  for (char** each = environ; each != nullptr && *each != nullptr; ++each)
    std::memset(*each, 0, std::strlen(*each));
  ::clearenv();
}

}  // namespace tcplab::netns
