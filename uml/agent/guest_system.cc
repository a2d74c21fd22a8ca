#include "uml/agent/guest_system.hh"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/view/containment.hh"
#include "netns/view/mount_table.hh"
#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"

namespace tcplab::uml {

namespace {

namespace fs = std::filesystem;

// The agent mounts here what programs do not see, for a moment.
constexpr char kOwnFolder[] = "/dev/tcplab";

/// What only the agent can write, once programs are contained.
struct OwnFiles {
  base::FileDescriptor proc;      // a /proc that is not locked; empty if that of programs is not
  base::FileDescriptor resolver;  // /etc/resolv.conf
};

OwnFiles& own_files() {
  static OwnFiles files;
  return files;
}

void mount_new(const char* type, const std::string& folder, const std::string& options = {},
               unsigned long flags = 0) {
  base::check("mount " + folder, ::mount("none", folder.c_str(), type, flags, options.c_str()));
}

/// Mounts an empty folder that vanishes with the guest.
void mount_private(const std::string& folder, const char* options) {
  if (fs::is_directory(folder)) mount_new("tmpfs", folder, options, MS_NOSUID | MS_NODEV);
}

void make_folder(const std::string& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw base::SystemError("create the folder " + folder, failure.value());
}

/// The folder of this kernel's modules.
std::string modules_folder() {
  const char* folder = std::getenv("TCPLAB_MODULES");  // from the kernel's command line
  return std::string(folder != nullptr ? folder : "/usr/lib/uml/modules") + "/" + kernel_release();
}

/// Returns the files of a module and of those that it needs (modules.dep(5)), the last to load
/// first. `file`: "kernel/net/ipv6/ipv6.ko".
std::vector<std::string> with_dependencies(const std::string& folder, const std::string& file) {
  std::ifstream list(folder + "/modules.dep");
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with(file + ":")) continue;
    std::istringstream words(line.substr(file.size() + 1));
    std::vector<std::string> files{file};
    for (std::string word; words >> word;) files.push_back(word);
    return files;
  }
  return {file};
}

void load_file(const std::string& path) {
  const std::string attempt = "load the module " + path;
  const base::FileDescriptor file(base::check(attempt, ::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  if (::syscall(SYS_finit_module, file.get(), "", 0) == -1 && errno != EEXIST)
    throw base::SystemError(attempt, errno);
}

/// Loads a module, "net/ipv6/ipv6", if its file exists: a kernel may have it built in.
void load_module(const std::string& name) {
  const std::string folder = modules_folder();
  const std::string file = "kernel/" + name + ".ko";
  if (::access((folder + "/" + file).c_str(), F_OK) == -1) return;
  const std::vector<std::string> files = with_dependencies(folder, file);
  for (auto next = files.rbegin(); next != files.rend(); ++next) load_file(folder + "/" + *next);
}

/// Without them a host could not start, and nobody would know why.
void require_parts() {
  for (const auto& [path, part] : {std::pair{"/dev/net/tun", "TUN (CONFIG_TUN)"},
                                   {"/proc/sys/net/ipv6", "IPv6 (CONFIG_IPV6)"}})
    if (::access(path, F_OK) == -1) throw base::LabError(std::string("this kernel lacks ") + part);
}

/// A program may reserve more than the guest's memory, as it may on a large machine: JIT compilers
/// and databases do. One that uses more is killed (proc_sys_vm(5), overcommit_memory).
void allow_large_reservations() { write_file("/proc/sys/vm/overcommit_memory", "1"); }

/// A fork bomb must end soon. Each process of a guest is one of the machine, with descriptors and
/// memory there, and takes up to 60 ms to make. Unlike RLIMIT_NPROC, this binds root, too
/// (fork(2)).
void limit_processes() { write_file("/proc/sys/kernel/threads-max", "500"); }

/// Stops kcompactd, which would wake the kernel twice a second to look for work.
void stop_compaction() {
  const std::string setting = "/proc/sys/vm/compaction_proactiveness";
  if (::access(setting.c_str(), F_OK) == 0) write_file(setting, "0");
}

/// Shows a file of ours at the place of a file of the machine, if there is one.
void cover_file(const std::string& with, const std::string& path) {
  if (::access(path.c_str(), F_OK) == -1) return;
  base::check("replace " + path, ::mount(with.c_str(), path.c_str(), nullptr, MS_BIND, nullptr));
}

/// Shows the host's files at the places of the machine's. Returns a descriptor to write
/// /etc/resolv.conf; empty if there is no such file.
base::FileDescriptor cover_host_files(const Configuration& configuration) {
  const std::string own = kOwnFolder;
  make_folder(own);
  mount_new("tmpfs", own);
  write_file(own + "/hosts", configuration.hosts);
  write_file(own + "/hostname", configuration.name + "\n");
  write_file(own + "/resolv.conf", "");
  cover_file(own + "/hosts", "/etc/hosts");
  cover_file(own + "/hostname", "/etc/hostname");
  cover_file(own + "/resolv.conf", netns::kResolverFile);
  const bool has_resolver = ::access(netns::kResolverFile, F_OK) == 0;
  base::FileDescriptor resolver(
      has_resolver ? ::open((own + "/resolv.conf").c_str(), O_WRONLY | O_CLOEXEC) : -1);
  base::check("hide the agent's files", ::umount2(own.c_str(), MNT_DETACH));
  return resolver;
}

/// The path by which the agent reaches a file of the kernel that is locked for programs: one in
/// /proc that is not about a process.
std::string own_path(const std::string& path) {
  const base::FileDescriptor& proc = own_files().proc;
  const std::string folder = "/proc/";
  if (!proc || !path.starts_with(folder) || path.size() == folder.size()) return path;
  const std::string name = path.substr(folder.size());
  const bool is_process = name.starts_with("self") || std::isdigit(name.front()) != 0;
  return is_process ? path : netns::path_of(proc) + "/" + name;
}

}  // namespace

std::string read_file(const std::string& path) {
  const std::string attempt = "read " + path;
  const base::FileDescriptor file(
      base::check(attempt, ::open(own_path(path).c_str(), O_RDONLY | O_CLOEXEC)));
  std::string text;
  std::array<char, 4096> part{};
  while (const long size = base::check(attempt, ::read(file.get(), part.data(), part.size())))
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  const std::string attempt = "write " + path;
  const int create = path.starts_with("/proc/") ? 0 : O_CREAT | O_TRUNC;
  const base::FileDescriptor file(
      base::check(attempt, ::open(own_path(path).c_str(), O_WRONLY | O_CLOEXEC | create, 0644)));
  base::check(attempt, ::write(file.get(), text.data(), text.size()));  // at once: sysctls want it
}

void write_resolver_file(const std::string& text) {
  netns::write_resolver_file(own_files().resolver, text);
}

void attach_folder(const std::string& folder, const std::string& path) {
  if (!fs::is_directory(path)) {
    netns::require_private(path);
    make_folder(path);
  }
  mount_new("hostfs", path, folder, MS_NOSUID | MS_NODEV);
}

void load_module_for(const std::string& path, const std::string& text) {
  if (path == "/proc/sys/net/ipv4/tcp_congestion_control" && text.find('/') == std::string::npos)
    load_module("net/ipv4/tcp_" + text);
}

void hide_folder(const std::string& folder) {
  if (fs::is_directory(folder)) mount_new("tmpfs", folder, "mode=700", MS_RDONLY);
}

std::string kernel_release() {
  utsname names{};
  base::check("ask for the kernel's release", ::uname(&names));
  return names.release;
}

void require_guest() {
  if (::getpid() != 1) throw base::LabError("this program is the init of a guest of tcplab");
  mount_new("proc", "/proc");
  if (read_file("/proc/cpuinfo").find("User Mode Linux") == std::string::npos)
    throw base::LabError("this is not User-mode Linux");
}

void prepare_system() {
  ::umask(0);
  mount_new("sysfs", "/sys");
  // The kernel may have mounted it (CONFIG_DEVTMPFS_MOUNT).
  if (::mount("none", "/dev", "devtmpfs", 0, "") == -1 && errno != EBUSY)
    throw base::SystemError("mount /dev", errno);
  make_folder("/dev/pts");
  mount_new("devpts", "/dev/pts", "ptmxmode=0666");
  make_folder("/dev/shm");
  mount_private("/dev/shm", "mode=1777");
  mount_private("/run", "mode=755");
  mount_private("/tmp", "mode=1777");
  mount_private("/var/tmp", "mode=1777");
  for (const char* name : {"net/ipv6/ipv6", "drivers/net/tun"}) load_module(name);
  require_parts();
  stop_compaction();
  allow_large_reservations();
  limit_processes();
  ::umask(022);
}

void configure_system(const Configuration& configuration) {
  const std::string& name = configuration.name;
  base::check("set the host name", ::sethostname(name.data(), name.size()));
  OwnFiles& own = own_files();
  own.resolver = cover_host_files(configuration);
  if (configuration.is_contained) {
    own.proc = netns::mount_unseen("proc", kOwnFolder);
    netns::contain_files({.shown = {}, .space = "50%"});
  }
  // The machine's file may be a link into /run, which is private here.
  if (!own.resolver) own.resolver = netns::make_resolver_file();
  for (const std::string& folder : configuration.shown) {
    make_folder(folder);
    mount_new("hostfs", folder, folder, MS_RDONLY | MS_NOSUID | MS_NODEV);
  }
  if (::chdir(configuration.folder.c_str()) == -1) base::check("change to /", ::chdir("/"));
}

}  // namespace tcplab::uml
