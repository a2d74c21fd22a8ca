#include "scenarios/engine/lab/open_sockets.hh"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using engine::OpenSockets;

namespace {

base::FileDescriptor make_socket() {
  return base::FileDescriptor(base::check("make a socket", ::socket(AF_INET, SOCK_STREAM, 0)));
}

std::uint32_t inode_of(const base::FileDescriptor& socket) {
  struct stat status {};
  base::check("ask for an inode", ::fstat(socket.get(), &status));
  return static_cast<std::uint32_t>(status.st_ino);
}

}  // namespace

TEST_CASE("a process's open sockets are found") {
  OpenSockets sockets(::getpid());
  const auto first = make_socket();
  const auto second = make_socket();
  CHECK(sockets.contains(inode_of(second)));
  CHECK(sockets.contains(inode_of(first)));
  CHECK(sockets.contains(inode_of(second)));
  CHECK_FALSE(sockets.contains(0xffffffff));
}

TEST_CASE("a closed socket is not open, even if its descriptor is reused") {
  OpenSockets sockets(::getpid());
  auto closed = make_socket();
  const std::uint32_t inode = inode_of(closed);
  REQUIRE(sockets.contains(inode));
  const int descriptor = closed.get();
  closed.reset();
  CHECK_FALSE(sockets.contains(inode));
  const auto next = make_socket();
  REQUIRE(next.get() == descriptor);
  CHECK_FALSE(sockets.contains(inode));
  CHECK(sockets.contains(inode_of(next)));
}

TEST_CASE("a socket with a high descriptor is found, too") {
  OpenSockets sockets(::getpid());
  std::vector<base::FileDescriptor> others;
  for (int i = 0; i < 40; ++i) others.emplace_back(::dup(STDERR_FILENO));
  const auto far = make_socket();
  CHECK(sockets.contains(inode_of(far)));
}

TEST_CASE("a process that has ended has no sockets") {
  OpenSockets nobody(0);
  CHECK_FALSE(nobody.contains(1));
}
