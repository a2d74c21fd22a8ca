// Nothing of a guest survives its owner or its kernel, however they die.
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using tests::GuestLab;

namespace {

/// A process that we can wait for although it is not our child.
struct Watched {
  pid_t pid = 0;
  base::FileDescriptor end;
};

pid_t group_of(pid_t process) { return ::getpgid(process); }

/// Returns every process of the group.
std::vector<Watched> members_of(pid_t group) {
  std::vector<Watched> members;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = std::stoi(name);
    if (group_of(pid) != group) continue;
    members.push_back(
        {pid, base::FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))});
  }
  return members;
}

bool ends_soon(const Watched& process) {
  pollfd end{process.end.get(), POLLIN, 0};
  return ::poll(&end, 1, 5000) == 1;
}

/// Runs a program that never waits, and one that waits, so that the guest has several processes.
void keep_busy(GuestLab& lab, const std::string& name) {
  lab.run(name, {"sh", "-c", "while :; do :; done"});
  const pid_t sleeper = lab.run(name, {"sh", "-c", "echo ready; sleep 1000000"});
  lab.await_text(name, sleeper, "ready");
}

/// In a child: owns a guest until it is killed. Writes the pid of the guest's kernel to the pipe.
[[noreturn]] void own_guest(int pipe) {
  GuestLab lab({"kang"});
  keep_busy(lab, "kang");
  const pid_t kernel = lab.guest("kang").kernel().pid();
  if (::write(pipe, &kernel, sizeof kernel) == sizeof kernel) ::pause();
  ::_exit(1);
}

}  // namespace

TEST_CASE("nothing of a guest survives a SIGKILL of its owner", "[death]") {
  SKIP_IF(tests::no_guests());
  base::Pipe pipe = base::make_pipe();
  const pid_t owner = ::fork();
  if (owner == 0) own_guest(pipe.write_end.get());
  pipe.write_end.reset();
  pid_t kernel = 0;
  REQUIRE(::read(pipe.read_end.get(), &kernel, sizeof kernel) == sizeof kernel);
  const std::vector<Watched> guest = members_of(kernel);
  CHECK(guest.size() > 3);  // the kernel, its helpers, and the address spaces of its programs
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  for (const Watched& process : guest) CHECK(ends_soon(process));
}

TEST_CASE("nothing of a guest survives a SIGKILL of its kernel alone", "[death]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  keep_busy(lab, "kang");
  const pid_t kernel = lab.guest("kang").kernel().pid();
  const std::vector<Watched> guest = members_of(kernel);
  CHECK(guest.size() > 3);
  ::kill(kernel, SIGKILL);
  for (const Watched& process : guest) CHECK(ends_soon(process));
  CHECK_THROWS_WITH(lab.guest("kang").receive(),
                    Catch::Matchers::Contains("kang: its kernel /usr/bin/linux.uml has ended: "
                                              "killed by SIGKILL"));
}

TEST_CASE("nothing of a guest survives when its power is cut", "[death]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  keep_busy(lab, "kang");
  const std::vector<Watched> guest = members_of(lab.guest("kang").kernel().pid());
  lab.cut_power("kang");
  for (const Watched& process : guest) CHECK(ends_soon(process));
}

TEST_CASE("a guest that panics tells its last words", "[death]") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  lab.guest("kang").files().write("/proc/sys/kernel/sysrq", "1");
  CHECK_THROWS_WITH(lab.guest("kang").files().write("/proc/sysrq-trigger", "c"),
                    Catch::Matchers::Contains("Kernel panic - not syncing"));
}

TEST_CASE("a kernel that is none is refused with its last words", "[death]") {
  SKIP_IF(tests::no_guests());
  uml::GuestClock clock;
  netns::HostConfig config;
  config.name = "kang";
  const auto boot = [&](const std::string& kernel) {
    const std::vector<uml::GuestRequest> requests{{config, {.kernel = kernel}}};
    uml::Guest::power_on(clock, requests);
  };
  CHECK_THROWS_WITH(boot("/bin/echo"),
                    Catch::Matchers::Contains("kang: its kernel /bin/echo has ended: mem="));
  CHECK_THROWS_WITH(boot("/bin/true"), Catch::Matchers::Contains("it has said nothing"));
  CHECK_THROWS_WITH(boot("/no/such"), Catch::Matchers::Contains("cannot run /no/such: "));
}
