#include "netns/run_space.hh"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/message.hh"
#include "netns/mounts.hh"
#include "netns/netlink.hh"
#include "netns/sysctl.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

constexpr std::uint64_t kNamespaces =
    CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC;

// Hosts' TCP hash tables. The kernel walks all of one for a sock_diag dump, and the machine's
// common table has hundreds of thousands of buckets.
constexpr const char* kHashBuckets = "1024";

/// Who the caller is in the user namespace that it leaves.
struct Identity {
  uid_t user = geteuid();
  gid_t group = getegid();
};

struct Birth {
  Child child;
  bool new_user_namespace = false;
};

[[noreturn]] void refuse(const base::SystemError& error) {
  throw base::LabError(std::string(error.what()) +
                       "; run as root, or allow user namespaces: "
                       "sysctl -w user.max_user_namespaces=10000, and where the kernel has them: "
                       "sysctl -w kernel.unprivileged_userns_clone=1, "
                       "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
}

/// Root has no need of a user namespace, unless it is a container's root without the rights.
Birth be_born() {
  try {
    if (geteuid() == 0) {
      try {
        return {clone_process(kNamespaces), false};
      } catch (const base::SystemError& error) {
        if (error.error() != EPERM) throw;
      }
    }
    return {clone_process(kNamespaces | CLONE_NEWUSER), true};
  } catch (const base::SystemError& error) {
    refuse(error);
  }
}

void write_line(const char* path, const std::string& line) {
  const std::string attempt = std::string("write ") + path;
  const FileDescriptor file(base::check(attempt, open(path, O_WRONLY | O_CLOEXEC)));
  base::check(attempt, ::write(file.get(), line.data(), line.size()));
}

/// Root here is the caller there (user_namespaces(7)); without the power over groups an
/// ordinary user may map its own.
void map_identity(const Identity& outside) {
  write_line("/proc/self/setgroups", "deny");
  write_line("/proc/self/uid_map", "0 " + std::to_string(outside.user) + " 1");
  write_line("/proc/self/gid_map", "0 " + std::to_string(outside.group) + " 1");
}

void furnish_network() {
  RouteSocket().change_link("lo", {.up = true});
  const char* const setting = "net.ipv4.tcp_child_ehash_entries";
  if (has_sysctl(setting)) write_sysctl(setting, kHashBuckets);  // since Linux 6.1
}

/// Returns what had to be left out, for the parent to say; empty when all is as it should be.
std::string furnish() {
  make_mounts_private();
  furnish_network();
  if (mount_proc()) return "";
  return "/proc of the run cannot be mounted here (a container masks it): "
         "programs see the processes of the machine";
}

struct Parent {
  FileDescriptor pidfd;
  int channel;
  Identity identity;
};

void settle_in(const Parent& parent, std::span<const int> keep, bool new_user_namespace) {
  std::vector<int> kept{0, 1, 2, parent.pidfd.get(), parent.channel};
  kept.insert(kept.end(), keep.begin(), keep.end());
  restore_signals();
  close_others(kept);
  if (new_user_namespace) map_identity(parent.identity);
  die_with_parent(parent.pidfd.get());
  prctl(PR_SET_NAME, "tcplab-run");
}

int run_body(const std::function<int()>& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::cerr << "tcplab: " << error.what() << std::endl;
  } catch (...) {
    std::cerr << "tcplab: an exception of unknown type" << std::endl;
  }
  return 3;
}

[[noreturn]] void live(Parent parent, std::span<const int> keep, bool new_user_namespace,
                       const std::function<int()>& body) {
  try {
    settle_in(parent, keep, new_user_namespace);
    send_message(parent.channel, "ready " + furnish());
  } catch (const std::exception& error) {
    send_message(parent.channel, std::string("broken ") + error.what());
    _exit(3);
  }
  close(parent.channel);
  parent.pidfd.reset();
  const int status = run_body(body);
  std::cout.flush();
  std::fflush(nullptr);
  // What the parent registered to be done at its exit is the parent's to do.
  _exit(status);
}

std::string await_readiness(int channel) {
  const std::string answer = receive_message(channel).text;
  if (answer.starts_with("ready ")) return answer.substr(6);
  if (answer.starts_with("broken ")) throw base::LabError("run space: " + answer.substr(7));
  throw base::LabError("run space: it died while starting");
}

}  // namespace

RunSpace start_run_space(std::span<const int> keep, const std::function<int()>& body) {
  std::cout.flush();
  std::fflush(nullptr);  // else the child would write what we have buffered once more
  Channel channel = make_channel();
  Parent self{own_pidfd(), channel.theirs.get(), {}};
  Birth birth = be_born();
  if (birth.child.pid == 0) live(std::move(self), keep, birth.new_user_namespace, body);
  channel.theirs.reset();
  try {
    const std::string caveat = await_readiness(channel.ours.get());
    return {birth.child.pid, std::move(birth.child.pidfd), caveat};
  } catch (const base::LabError&) {
    wait_for(birth.child);
    throw;
  }
}

}  // namespace tcplab::netns
