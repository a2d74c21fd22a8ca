// Who runs a program, or owns a file. Values only.
#pragma once

#include <sys/types.h>

#include <vector>

namespace tcplab::netns {

struct ProgramUser {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups;
};

}  // namespace tcplab::netns
