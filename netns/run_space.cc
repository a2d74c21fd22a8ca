#include "netns/run_space.hh"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/message.hh"
#include "netns/netlink.hh"
#include "netns/subordinate_ids.hh"
#include "netns/sysctl.hh"
#include "netns/view/containment.hh"
#include "netns/view/mounts.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

constexpr std::uint64_t kNamespaces =
    CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC;

// The size of each host's own TCP hash table. A sock_diag dump walks the whole table, and the
// machine's shared table has hundreds of thousands of buckets. If it is too small, connect(2) is
// slow: once half of the ports are taken, it tries thousands of ports of the other parity, and
// walks a bucket's chain for each (__inet_hash_connect(), __inet_check_established()).
constexpr const char* kHashBuckets = "8192";

constexpr const char* kRunName = "tcplab-run";

/// The caller's IDs in its current user namespace.
struct Credentials {
  uid_t user = geteuid();
  gid_t group = getegid();
};

struct ClonedProcess {
  Child child;
  bool new_user_namespace = false;
};

/// Whether user namespaces, if allowed, would help: user.max_user_namespaces gives ENOSPC.
bool lacks_privilege(const base::SystemError& error) {
  return error.error() == EPERM || error.error() == EACCES || error.error() == ENOSPC ||
         error.error() == EUSERS;
}

[[noreturn]] void throw_with_advice(const base::SystemError& error) {
  throw base::LabError(std::string(error.what()) +
                       "; run as root, or allow user namespaces: "
                       "sysctl -w user.max_user_namespaces=10000, and if this kernel has them: "
                       "sysctl -w kernel.unprivileged_userns_clone=1, "
                       "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
}

/// Clones this process into the namespaces of a run. Root needs no user namespace, except the root
/// of a container without CAP_SYS_ADMIN (EPERM).
ClonedProcess clone_into_namespaces() {
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
    if (!lacks_privilege(error)) throw;
    throw_with_advice(error);
  }
}

void write_line(const char* path, const std::string& line) {
  const std::string attempt = std::string("write ") + path;
  const FileDescriptor file(base::check(attempt, open(path, O_WRONLY | O_CLOEXEC)));
  base::check(attempt, ::write(file.get(), line.data(), line.size()));
}

bool is_empty(const char* map) { return std::ifstream(map).peek() == EOF; }

/// Maps root in the new user namespace to the caller outside, unless the caller has done so. An
/// ordinary user may map its own group only after it has written "deny" to setgroups
/// (user_namespaces(7)).
void map_root(const Credentials& outside) {
  if (is_empty("/proc/self/gid_map")) {
    write_line("/proc/self/setgroups", "deny");
    write_line("/proc/self/gid_map", "0 " + std::to_string(outside.group) + " 1");
  }
  if (is_empty("/proc/self/uid_map"))
    write_line("/proc/self/uid_map", "0 " + std::to_string(outside.user) + " 1");
}

/// In the caller outside: maps subordinate ids, if it has them. tcplab doctor says why not.
void map_more_users(pid_t process) {
  const auto found = own_subordinate_ids();
  if (const auto* ids = std::get_if<SubordinateIds>(&found)) map_subordinate_ids(process, *ids);
}

void configure_network() {
  RouteSocket().change_link("lo", {.up = true});
  const char* const setting = "net.ipv4.tcp_child_ehash_entries";
  if (has_sysctl(setting)) write_sysctl(setting, kHashBuckets);  // since Linux 6.1
}

/// Configures the new namespaces. Returns what this machine did not allow; empty if nothing.
std::string configure_namespaces() {
  make_mounts_private();
  configure_network();
  if (mount_proc()) return "";
  return "cannot mount the run's own /proc (a container masks it): "
         "programs see the processes of the machine";
}

struct Parent {
  FileDescriptor pidfd;
  int channel;
  Credentials credentials;
};

void prepare_process(const Parent& parent, std::span<const int> keep, bool new_user_namespace) {
  std::vector<int> kept{0, 1, 2, parent.pidfd.get(), parent.channel};
  kept.insert(kept.end(), keep.begin(), keep.end());
  restore_signals();
  close_all_except(kept);
  if (new_user_namespace) {
    receive_message(parent.channel);  // until the caller has tried to map more users
    map_root(parent.credentials);
  }
  die_with_parent(parent.pidfd.get());
  prctl(PR_SET_NAME, kRunName);
  erase_command_line(kRunName);  // the inits of hosts, which programs see, are copies
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

[[noreturn]] void run_and_exit(const std::function<int()>& body) {
  const int status = run_body(body);
  std::cout.flush();
  std::fflush(nullptr);
  // exit(3) would run handlers that the parent registered with atexit(3).
  _exit(status);
}

[[noreturn]] void run_child(Parent parent, std::span<const int> keep, bool new_user_namespace,
                            const std::function<int()>& body) {
  try {
    prepare_process(parent, keep, new_user_namespace);
    send_message(parent.channel, "ready " + configure_namespaces());
  } catch (const std::exception& error) {
    send_message(parent.channel, std::string("broken ") + error.what());
    _exit(3);
  }
  close(parent.channel);
  parent.pidfd.reset();
  run_and_exit(body);
}

/// Returns the caveat.
std::string wait_until_ready(int channel) {
  const std::string answer = receive_message(channel).text;
  if (answer.starts_with("ready ")) return answer.substr(6);
  if (answer.starts_with("broken ")) throw base::LabError("run space: " + answer.substr(7));
  throw base::LabError("run space: its process died while starting");
}

}  // namespace

RunSpace start_run_space(std::span<const int> keep, const std::function<int()>& body) {
  std::cout.flush();
  std::fflush(nullptr);  // otherwise the child would write our buffered output a second time
  Channel channel = make_channel();
  Parent self{own_pidfd(), channel.theirs.get(), {}};
  ClonedProcess cloned = clone_into_namespaces();
  if (cloned.child.pid == 0) run_child(std::move(self), keep, cloned.new_user_namespace, body);
  channel.theirs.reset();
  try {
    if (cloned.new_user_namespace) {
      map_more_users(cloned.child.pid);
      send_message(channel.ours.get(), "mapped");
    }
    const std::string caveat = wait_until_ready(channel.ours.get());
    return {cloned.child.pid, std::move(cloned.child.pidfd), caveat};
  } catch (const base::LabError&) {
    wait_for(cloned.child);
    throw;
  }
}

RunSpace start_run_process(std::span<const int> keep, const std::function<int()>& body) {
  std::cout.flush();
  std::fflush(nullptr);
  Channel channel = make_channel();
  Parent self{own_pidfd(), channel.theirs.get(), {}};
  Child child = clone_process(0);
  if (child.pid == 0) {
    prepare_process(self, keep, false);
    close(self.channel);
    self.pidfd.reset();
    run_and_exit(body);
  }
  return {child.pid, std::move(child.pidfd), ""};
}

}  // namespace tcplab::netns
