#include "netns/subordinate_ids.hh"

#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hh"
#include "base/split.hh"

namespace tcplab::netns {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The name of this user; its id if it has no name.
std::string own_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry == nullptr ? std::to_string(geteuid()) : entry->pw_name;
}

SubordinateObstacle no_range(const std::string& user, const char* file, const char* option) {
  return {.what = user + " has no ids in " + file,
          .fix = std::string("sudo usermod ") + option + " 100000-165535 " + user};
}

bool is_in_path(const std::string& program) {
  const char* path = getenv("PATH");
  for (const std::string& folder : base::split(path == nullptr ? "/usr/bin:/bin" : path, ':'))
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// Runs newuidmap or newgidmap, without its messages. Returns whether it has succeeded.
bool run_helper(const std::string& program, pid_t process, unsigned own, const IdRange& range) {
  std::vector<std::string> words = {program, std::to_string(process)};
  for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{own}, std::uint64_t{1},
                                 std::uint64_t{1}, range.first, range.count})
    words.push_back(std::to_string(id));
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t helper = 0;
  const int error =
      posix_spawnp(&helper, program.c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return false;
  int status = 0;
  while (waitpid(helper, &status, 0) == -1)
    if (errno != EINTR) throw base::SystemError("wait for " + program, errno);
  return status == 0;
}

}  // namespace

std::optional<IdRange> subordinate_range(const std::filesystem::path& file, const std::string& user,
                                         uid_t id) {
  std::optional<IdRange> largest;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string owner, first, count;
    std::getline(fields, owner, ':');
    std::getline(fields, first, ':');
    std::getline(fields, count);
    const auto begin = number(first);
    const auto size = number(count);
    if ((owner != user && owner != std::to_string(id)) || !begin || !size || *size == 0) continue;
    if (!largest || *size > largest->count) largest = IdRange{*begin, *size};
  }
  return largest;
}

std::variant<SubordinateIds, SubordinateObstacle> own_subordinate_ids() {
  for (const char* program : {"newuidmap", "newgidmap"})
    if (!is_in_path(program))
      return SubordinateObstacle{.what = std::string(program) + " is not installed",
                                 .fix = "sudo apt-get install uidmap"};
  const std::string user = own_name();
  const auto users = subordinate_range("/etc/subuid", user, geteuid());
  if (!users) return no_range(user, "/etc/subuid", "--add-subuids");
  const auto groups = subordinate_range("/etc/subgid", user, geteuid());
  if (!groups) return no_range(user, "/etc/subgid", "--add-subgids");
  return SubordinateIds{.users = *users, .groups = *groups};
}

bool map_subordinate_ids(pid_t process, const SubordinateIds& ids) {
  return run_helper("newgidmap", process, getegid(), ids.groups) &&
         run_helper("newuidmap", process, geteuid(), ids.users);
}

std::uint64_t mapped_users() {
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t users = 0;
  for (std::uint64_t inside, outside, count; map >> inside >> outside >> count;) users += count;
  return users;
}

}  // namespace tcplab::netns
