#include "netns/view/containment.hh"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/mount.h>
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
#include "netns/view/mount_table.hh"
#include "netns/view/refused_calls.hh"

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

constexpr const char* kTemporary = "/tmp";
constexpr std::array kDevices = {"null", "zero", "full", "random", "urandom", "tty"};
constexpr mode_t kEverybody = 01777;

bool is_read_only(const std::string& path) {
  struct statvfs status {};
  if (::statvfs(path.c_str(), &status) == -1) return true;  // nobody gets there
  return (status.f_flag & ST_RDONLY) != 0;
}

void make_read_only(const Mount& mount) {
  const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | mount.flags;
  if (::mount(nullptr, mount.path.c_str(), nullptr, flags, nullptr) == 0) return;
  const int error = errno;
  // Another mount may cover it. Then the path is that of the other.
  if (!is_read_only(mount.path))
    throw base::SystemError("make " + mount.path + " read-only", error);
}

/// /proc is locked by lock_proc(), because programs write into the folders of their processes.
void make_all_read_only() {
  for (const Mount& mount : list_mounts())
    if (mount.path != "/proc" && !is_below(mount.path, "/proc")) make_read_only(mount);
}

void bind(const std::string& from, const std::string& to) {
  base::check("mount " + to, ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr));
}

void bind_read_only(const std::string& path) {
  bind(path, path);
  make_read_only({path, MS_NOSUID | MS_NODEV | MS_NOEXEC});
}

/// Whether a file in /proc is about the machine, and no program under test needs it: one that only
/// root may read, such as kcore, kmsg, timer_list and sysrq-trigger, and a few others.
bool is_hidden(const std::string& name, const struct stat& status) {
  constexpr std::array kHidden = {"kallsyms", "keys", "key-users"};
  return S_ISREG(status.st_mode) &&
         ((status.st_mode & S_IROTH) == 0 || std::ranges::find(kHidden, name) != kHidden.end());
}

/// Makes what is about the machine, not about one process, read-only: sys, irq, bus, mtrr; or hides
/// it.
void lock_proc() {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string path = entry.path().string();
    const std::string name = entry.path().filename().string();
    struct stat status {};
    if (std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
    if (::lstat(path.c_str(), &status) == -1 || S_ISLNK(status.st_mode)) continue;
    if (is_hidden(name, status))
      bind("/dev/null", path);
    else if (S_ISDIR(status.st_mode) || (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0)
      bind_read_only(path);
  }
  make_read_only({"/proc/sys/kernel/random/boot_id", MS_NOSUID | MS_NODEV | MS_NOEXEC});
  bind_read_only("/proc/1");  // the init: oom_score_adj, for example
}

void make_folder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) == -1 && errno != EEXIST)
    throw base::SystemError("make " + path, errno);
  base::check("change the mode of " + path, ::chmod(path.c_str(), mode));
}

std::string at(const std::string& name) { return std::string(kTemporary) + "/" + name; }

/// A folder or a device of the machine that is mounted again where a private folder covers it.
struct Kept {
  std::string path;
  FileDescriptor handle;
};

bool is_covered(const std::string& path) {
  return std::ranges::any_of(private_folders(),
                             [&](const std::string& folder) { return is_below(path, folder); });
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

/// Copies the mounts of the devices, before all others become useless for devices (MS_NODEV). A
/// container may lack some.
std::vector<Kept> keep_devices() {
  std::vector<Kept> kept;
  kept.reserve(kDevices.size());
  for (const char* device : kDevices) {
    const std::string path = std::string("/dev/") + device;
    kept.push_back(
        {device, FileDescriptor(static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, path.c_str(),
                                                           OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC)))});
  }
  return kept;
}

/// Makes /dev: devices without a state of the machine, and pseudoterminals of the host's own.
void make_devices(const std::vector<Kept>& devices) {
  for (const auto& [name, handle] : devices) {
    if (!handle) continue;
    const FileDescriptor target(base::check(
        "make /dev/" + name, ::open(at("dev/" + name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0)));
    base::check("mount /dev/" + name,
                ::syscall(SYS_move_mount, handle.get(), "", AT_FDCWD, at("dev/" + name).c_str(),
                          MOVE_MOUNT_F_EMPTY_PATH));
    // Otherwise chmod(2) would change the device of the machine.
    const unsigned long flags = mount_flags_at(at("dev/" + name));
    base::check("make /dev/" + name + " read-only",
                ::mount(nullptr, at("dev/" + name).c_str(), nullptr,
                        MS_REMOUNT | MS_BIND | MS_RDONLY | flags, nullptr));
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
void make_private_folders(const std::vector<Kept>& devices, const std::string& space) {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV;
  const std::string options = "mode=755,nr_inodes=200k,size=" + space;
  base::check("mount a tmpfs", ::mount("tmpfs", kTemporary, "tmpfs", kFlags, options.c_str()));
  make_folder(at("dev"), 0755);
  make_devices(devices);
  bind(at("dev"), "/dev");
  for (const std::string& folder : private_folders()) {
    if (::access(folder.c_str(), F_OK) == -1) continue;  // a minimal system may lack it
    std::string name = folder;
    std::ranges::replace(name, '/', '-');
    make_folder(at(name), folder == "/run" ? 0755 : kEverybody);
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
  make_private_folders(devices, containment.space);
  show_again(shown);
  lock_proc();
}

void drop_privileges(const ProgramRights& rights) {
  if (rights.privileges == Privileges::all) return;
  // In the moment before exec(3) the process has the lab's memory. No program may look into it.
  base::check("protect a process", ::prctl(PR_SET_DUMPABLE, 0));
  if (!is_root_of_the_machine())
    base::check("set no_new_privs", ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);  // fails in some containers
  refuse_calls(rights.user_namespaces);
  clear_inheritable();
  for (unsigned capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability)
    if (!keeps(rights.privileges, capability))
      base::check("drop a capability", ::prctl(PR_CAPBSET_DROP, capability));
}

void erase_environment() {
  for (char** each = environ; each != nullptr && *each != nullptr; ++each)
    std::memset(*each, 0, std::strlen(*each));
  ::clearenv();
}

/// The place of the arguments is in fields 48 and 49 of stat (proc_pid_stat(5)), which a process
/// may read of itself.
void erase_command_line(const std::string& name) {
  constexpr int kFieldsBefore = 45;  // between the name in parentheses and arg_start
  std::ifstream file("/proc/self/stat");
  const std::string stat(std::istreambuf_iterator<char>(file), {});
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string skipped;
  for (int i = 0; i < kFieldsBefore; ++i) fields >> skipped;
  std::uintptr_t start = 0;
  std::uintptr_t end = 0;
  fields >> start >> end;
  if (start == 0 || end <= start) return;
  char* const place = reinterpret_cast<char*>(start);
  std::memset(place, 0, end - start);
  std::copy_n(name.begin(), std::min<std::size_t>(name.size(), end - start - 1), place);
}

}  // namespace tcplab::netns
