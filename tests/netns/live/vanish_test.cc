// Checks that a lab leaves no process, link, mount or file behind, however and whenever it is
// killed.
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "base/error.hh"
#include "netns/run_space.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;
namespace fs = std::filesystem;

namespace {

enum class Victim { run_space, parent };

/// Enters a mount namespace with an empty /tmp, so that other programs do not change what
/// surroundings() returns. A lab's mounts would still appear there: like a machine, the namespace
/// shares mounts with the namespaces made from it. An ordinary user cannot enter one, and stays.
void leave_other_programs() {
  if (geteuid() != 0) return;
  base::check("make a mount namespace", unshare(CLONE_NEWNS));
  base::check("leave the machine's mounts", mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr));
  base::check("share mounts", mount("", "/", nullptr, MS_REC | MS_SHARED, nullptr));
  base::check("mount over /tmp", mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777"));
}

/// Returns what a machine shows of labs: links, mounts, and what is bound under /run/netns.
std::set<std::string> surroundings() {
  std::set<std::string> found;
  for (const char* folder : {"/sys/class/net", "/run/netns", "/tmp"}) {
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent))
      if (entry.path().filename().string().find("tcplab") != std::string::npos ||
          std::string(folder) != "/tmp")
        found.insert(entry.path());
  }
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) found.insert(line);
  return found;
}

/// Returns the processes of the machine that are in one of these network namespaces.
std::string processes_in(const std::set<std::string>& namespaces) {
  std::string found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code gone;
    const auto link = fs::read_symlink(entry.path() / "ns/net", gone).string();
    if (!gone && namespaces.contains(link)) found += " " + entry.path().filename().string();
  }
  return found;
}

/// Runs a lab: two hosts with a program each, and power cycles without end. Writes the name of each
/// network namespace to `report`.
int run_doomed_lab(int report, netns::PortKind kind) {
  const auto tell = [report](const netns::Host& host) {
    struct stat status {};
    fstat(host.network_namespace(), &status);
    const std::string line = fmt::format("net:[{}]\n", status.st_ino);
    [[maybe_unused]] const ssize_t written = write(report, line.data(), line.size());
  };
  for (;;) {
    Pair pair(kind);
    tell(pair.kang());
    tell(pair.kodos());
    Running waiting(pair.kang(), helper("wait"));
    Running flood(pair.kodos(), helper("flood", {"kang", "9"}));
    pair.run_until([&] { return pair.record.frames.size() > 50; }, "they live");
  }
}

std::set<std::string> read_lines(int descriptor) {
  std::string all;
  std::array<char, 4096> piece{};
  for (ssize_t size; (size = read(descriptor, piece.data(), piece.size())) > 0;)
    all.append(piece.data(), static_cast<std::size_t>(size));
  std::istringstream lines(all);
  std::set<std::string> found;
  for (std::string line; std::getline(lines, line);) found.insert(line);
  return found;
}

/// Runs the lab's parent: it starts the lab, writes the lab's pid, and waits. It dies with the
/// test.
[[noreturn]] void run_parent(int report, int pids, netns::PortKind kind) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto space =
      netns::start_run_space(std::array{report}, [&] { return run_doomed_lab(report, kind); });
  close(report);
  if (write(pids, &space.pid, sizeof space.pid) != sizeof space.pid) _exit(1);
  for (;;) pause();
}

/// Reaps every descendant. Returns false if one is left after 60 s. SIGCHLD is blocked, so that
/// sigtimedwait(2) returns when a child ends.
bool all_end() {
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  const auto deadline = base::now() + std::chrono::seconds(60);
  while (base::now() < deadline) {
    const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
    if (reaped == -1) return true;
    const timespec patience{1, 0};
    if (reaped == 0) sigtimedwait(&child_signal, nullptr, &patience);
  }
  return false;
}

/// When to kill a lab: this long after its start, or after its first host was up.
struct Moment {
  bool when_alive = false;
  std::chrono::microseconds age{};
};

/// Starts a lab and kills it. Returns what it left behind; "" if nothing.
std::string remains(Victim victim, Moment moment, netns::PortKind kind) {
  base::Pipe report = base::make_pipe(), pids = base::make_pipe();
  std::fflush(nullptr);
  const pid_t parent = fork();
  if (parent == 0) run_parent(report.write_end.get(), pids.write_end.get(), kind);
  report.write_end.reset();
  pids.write_end.reset();
  pid_t space = 0;
  if (victim == Victim::run_space &&
      read(pids.read_end.get(), &space, sizeof space) != sizeof space)
    return "the run space did not start";
  pollfd first_host{.fd = report.read_end.get(), .events = POLLIN, .revents = 0};
  if (moment.when_alive && poll(&first_host, 1, 10'000) != 1) return "it never had a host";
  const timespec life{0, std::chrono::nanoseconds(moment.age).count()};
  ppoll(nullptr, 0, &life, nullptr);  // wait for the random moment
  if (space != 0) kill(space, SIGKILL);
  kill(parent, SIGKILL);
  if (!all_end()) return "a process has outlived its lab by 10 s";
  const std::set<std::string> namespaces = read_lines(report.read_end.get());
  if (moment.when_alive && namespaces.empty()) return "it never had a host";
  const std::string left = processes_in(namespaces);
  return left.empty() ? "" : "processes are still in its namespaces:" + left;
}

/// While the guard lives, this process reaps orphaned descendants, so that it can wait for all.
class Subreaper {
public:
  Subreaper() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, nullptr);
  }
  ~Subreaper() {
    sigprocmask(SIG_UNBLOCK, &set_, nullptr);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;

private:
  sigset_t set_{};
};

}  // namespace

TEST_CASE("a lab that is killed at any moment leaves nothing behind", "[live]") {
  SKIP_IF(no_namespaces());
  leave_other_programs();
  const Subreaper subreaper;
  const auto before = surroundings();
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> microseconds(0, 25000);
  const auto kinds = port_kinds();
  for (int i = 0; i < 50; ++i) {
    const Moment moment{i % 4 < 2, std::chrono::microseconds(microseconds(random))};
    const auto victim = i % 2 == 0 ? Victim::run_space : Victim::parent;
    CAPTURE(i, moment.when_alive, moment.age.count());
    CHECK(remains(victim, moment, kinds[static_cast<std::size_t>(i / 4) % kinds.size()]) == "");
  }
  CHECK(surroundings() == before);
}
