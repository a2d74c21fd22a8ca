// Users besides root in the user namespace of a run: the subordinate ids of an ordinary user
// (subuid(5), subgid(5)). Only newuidmap(1) and newgidmap(1), which are setuid root, may map them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace tcplab::netns {

struct IdRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Returns the largest range of a user in a file such as /etc/subuid, by name or by id; empty if it
/// has none.
std::optional<IdRange> subordinate_range(const std::filesystem::path& file, const std::string& user,
                                         uid_t id);

struct SubordinateIds {
  IdRange users;
  IdRange groups;
};

/// Why a user has no subordinate ids.
struct SubordinateObstacle {
  std::string what;
  std::string fix;  // a command
};

/// Returns the subordinate ids of this user, or what is missing.
std::variant<SubordinateIds, SubordinateObstacle> own_subordinate_ids();

/// Maps, in the user namespace of that process, root to this user, and the ids from 1 on to the
/// subordinate ones. Returns false if a helper has failed; then a map may still be empty.
bool map_subordinate_ids(pid_t process, const SubordinateIds& ids);

/// Returns how many users the user namespace of this process has: 1 if only root is mapped.
std::uint64_t mapped_users();

}  // namespace tcplab::netns
