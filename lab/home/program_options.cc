#include "lab/home/program_options.hh"

#include <elf.h>
#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <utility>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

const passwd& entry_of(const std::string& user) {
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr)
    throw base::UsageError("this machine has no user \"" + user + "\"; name one of /etc/passwd");
  return *entry;
}

netns::ProgramUser user_of(const passwd& entry) {
  netns::ProgramUser user{.user = entry.pw_uid, .group = entry.pw_gid, .groups = {}};
  int count = 0;
  getgrouplist(entry.pw_name, entry.pw_gid, nullptr, &count);
  user.groups.resize(static_cast<std::size_t>(count));
  getgrouplist(entry.pw_name, entry.pw_gid, user.groups.data(), &count);
  return user;
}

Elf64_Half own_machine() {
  Elf64_Ehdr header{};
  std::ifstream("/proc/self/exe", std::ios::binary)
      .read(reinterpret_cast<char*>(&header), sizeof header);
  return header.e_machine;
}

std::string architecture(Elf64_Half machine) {
  static const std::map<Elf64_Half, std::string> kNames = {
      {EM_386, "i386"},    {EM_ARM, "arm"},   {EM_X86_64, "x86-64"}, {EM_AARCH64, "arm64"},
      {EM_PPC64, "ppc64"}, {EM_S390, "s390"}, {EM_RISCV, "risc-v"},  {EM_MIPS, "mips"}};
  const auto found = kNames.find(machine);
  return found == kNames.end() ? "ELF machine " + std::to_string(machine) : found->second;
}

/// Returns what is wrong with the beginning of the file; empty if nothing is.
std::string complaint_of_format(const std::string& path) {
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  const std::string start(reinterpret_cast<const char*>(header.e_ident), SELFMAG);
  if (start == ELFMAG) {
    if (header.e_machine == own_machine()) return "";
    return "it is built for another architecture, " + architecture(header.e_machine);
  }
  if (!start.starts_with("#!")) return "it is neither a program nor a script that begins with #!";
  file.clear();
  file.seekg(2);
  std::string interpreter;
  file >> interpreter;
  if (::access(interpreter.c_str(), X_OK) == 0) return "";
  return "its interpreter " + interpreter + " does not exist";
}

}  // namespace

void apply(const ProgramOptions& options, netns::SpawnRequest& request) {
  if (!options.user.empty()) {
    const passwd& entry = entry_of(options.user);
    request.user = user_of(entry);
    for (const char* name : {"USER", "LOGNAME"})
      request.environment.emplace_back(name, entry.pw_name);
    request.environment.emplace_back("HOME", entry.pw_dir);
  }
  request.environment.insert(request.environment.end(), options.environment.begin(),
                             options.environment.end());
  request.folder = options.folder;
  request.limits = options.limits;
  request.has_terminal = options.has_terminal;
  request.user_namespaces = options.user_namespaces;
}

netns::ProgramUser user_named(const std::string& name) { return user_of(entry_of(name)); }

netns::ResourceLimit limit_named(const std::string& name, rlim_t value) {
  constexpr std::array<std::pair<const char*, int>, 9> kNames = {{{"as", RLIMIT_AS},
                                                                  {"core", RLIMIT_CORE},
                                                                  {"cpu", RLIMIT_CPU},
                                                                  {"data", RLIMIT_DATA},
                                                                  {"fsize", RLIMIT_FSIZE},
                                                                  {"memlock", RLIMIT_MEMLOCK},
                                                                  {"nofile", RLIMIT_NOFILE},
                                                                  {"nproc", RLIMIT_NPROC},
                                                                  {"stack", RLIMIT_STACK}}};
  std::string known;
  for (const auto& [each, resource] : kNames) {
    if (name == each) return {.name = name, .resource = resource, .value = value};
    known += std::string(known.empty() ? "" : ", ") + each;
  }
  throw base::UsageError("there is no limit \"" + name + "\"; the limits are " + known);
}

std::string why_not_executable(const std::string& path) {
  struct stat status {};
  if (path.find('/') == std::string::npos) return "";
  if (::stat(path.c_str(), &status) == -1) return path + " does not exist";
  if (S_ISDIR(status.st_mode)) return path + " is a folder, not a program";
  if (::access(path.c_str(), X_OK) == -1) return path + " is not executable; fix: chmod +x " + path;
  const std::string wrong = complaint_of_format(path);
  if (!wrong.empty()) return path + " cannot be executed: " + wrong;
  constexpr std::array kPrivate = {"/tmp/", "/var/tmp/", "/run/", "/dev/"};
  if (std::ranges::any_of(kPrivate, [&](const char* each) { return path.starts_with(each); }))
    return path +
           " is not visible on a host, whose /tmp, /run and /dev are its own; move it to the "
           "folder of the scenario, or use tcplab run --trust";
  return "";
}

}  // namespace tcplab::lab
