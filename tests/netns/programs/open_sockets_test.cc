#include "netns/programs/open_sockets.hh"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using netns::Holding;
using netns::OpenSockets;

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
  CHECK(sockets.look_for(inode_of(second)) == Holding::yes);
  CHECK(sockets.look_for(inode_of(first)) == Holding::yes);
  CHECK(sockets.look_for(inode_of(second)) == Holding::yes);
  CHECK(sockets.look_for(0xffffffff) == Holding::no);
}

TEST_CASE("a closed socket is not open, even if its descriptor is reused") {
  OpenSockets sockets(::getpid());
  auto closed = make_socket();
  const std::uint32_t inode = inode_of(closed);
  REQUIRE(sockets.look_for(inode) == Holding::yes);
  const int descriptor = closed.get();
  closed.reset();
  CHECK(sockets.look_for(inode) == Holding::no);
  const auto next = make_socket();
  REQUIRE(next.get() == descriptor);
  CHECK(sockets.look_for(inode) == Holding::no);
  CHECK(sockets.look_for(inode_of(next)) == Holding::yes);
}

TEST_CASE("a socket with a high descriptor is found, too") {
  OpenSockets sockets(::getpid());
  std::vector<base::FileDescriptor> others;
  for (int i = 0; i < 40; ++i) others.emplace_back(::dup(STDERR_FILENO));
  const auto far = make_socket();
  CHECK(sockets.look_for(inode_of(far)) == Holding::yes);
}

TEST_CASE("a process that has ended has no sockets") {
  OpenSockets nobody(0);
  CHECK(nobody.look_for(1) == Holding::no);
}

TEST_CASE("a process with many descriptors is read on request only") {
  OpenSockets sockets(::getpid());
  std::vector<base::FileDescriptor> others;
  for (int i = 0; i < 300; ++i) others.emplace_back(::dup(STDERR_FILENO));
  sockets.read_all();
  const auto far = make_socket();
  others.emplace_back(::dup(STDERR_FILENO));
  CHECK(sockets.look_for(0xffffffff) == Holding::unknown);
  CHECK_FALSE(sockets.had(inode_of(far)));
  sockets.read_all();
  CHECK(sockets.had(inode_of(far)));
  CHECK_FALSE(sockets.had(0xffffffff));
  CHECK(sockets.look_for(inode_of(far)) == Holding::yes);
}
