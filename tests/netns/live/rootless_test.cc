// Runs tests of this executable again as an ordinary user, nobody.
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/error.hh"
#include "netns/tap_port.hh"
#include "netns/view/mounts.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;
using netns::PortKind;

namespace {

constexpr uid_t kNobody = 65534;

/// The tests to run again: those that need only hosts.
constexpr const char* kTests =
    "a program sees its own host*,hosts connect by name over both families,"
    "a run space is pid 1 in new namespaces,ports are TAPs if*,"
    "permanent neighbours*,a run space that is killed*,a lab that is killed*";

/// Makes /dev/net/tun with this mode, in a mount namespace of our own. /tmp is empty there: the
/// tests compare its contents before and after, and other programs of the machine use /tmp, too.
void cover_tun_device(mode_t mode) {
  base::check("make a mount namespace", unshare(CLONE_NEWNS));
  netns::make_mounts_private();
  base::check("mount over /dev/net", mount("tmpfs", "/dev/net", "tmpfs", 0, "mode=755"));
  base::check("make the device", mknod("/dev/net/tun", S_IFCHR | mode, makedev(10, 200)));
  base::check("mount over /tmp", mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777"));
  base::check("set its mode", chmod("/dev/net/tun", mode));
}

[[noreturn]] void run_as_nobody(mode_t tun_mode, int output) {
  const int self = open("/proc/self/exe", O_RDONLY);
  try {
    cover_tun_device(tun_mode);
    base::check("drop groups", setgroups(0, nullptr));
    base::check("change group", setgid(kNobody));
    base::check("change user", setuid(kNobody));
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    std::array arguments{const_cast<char*>("tests"), const_cast<char*>(kTests),
                         static_cast<char*>(nullptr)};
    fexecve(self, arguments.data(), environ);
    throw base::SystemError("run the tests", errno);
  } catch (const base::LabError& error) {
    dprintf(output, "%s\n", error.what());
  }
  _exit(1);
}

Obstacle no_tun_folder() {
  if (access("/dev/net", F_OK) == 0) return std::nullopt;
  return "needs /dev/net to cover";
}

}  // namespace

TEST_CASE("ports are TAPs if /dev/net/tun can be opened, else veth pairs", "[live]") {
  const base::FileDescriptor tun(open("/dev/net/tun", O_RDWR | O_CLOEXEC));
  unsetenv("TCPLAB_PORTS");
  CHECK(netns::preferred_port_kind() == (tun ? PortKind::tap : PortKind::veth));
  setenv("TCPLAB_PORTS", "veth", 1);
  CHECK(netns::preferred_port_kind() == PortKind::veth);
  setenv("TCPLAB_PORTS", "token ring", 1);
  CHECK_THROWS_AS(netns::preferred_port_kind(), base::UsageError);
  unsetenv("TCPLAB_PORTS");
}

TEST_CASE("the tests of hosts pass as an ordinary user, too", "[live]") {
  SKIP_IF(no_root());
  SKIP_IF(no_namespaces());
  SKIP_IF(no_tun_folder());
  const mode_t tun_mode = GENERATE(0666, 0600);
  CAPTURE(tun_mode);
  base::Pipe output = base::make_pipe();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) run_as_nobody(tun_mode, output.write_end.get());
  output.write_end.reset();
  const std::string text = read_all(output.read_end.get());
  CAPTURE(text);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(text.find("All tests passed") != std::string::npos);
}
