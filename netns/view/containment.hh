// Contains the programs of a host: what they see of the machine's file system, and what they may do
// as root. bubblewrap(1) and systemd.exec(5) (ProtectSystem=strict, PrivateTmp=, PrivateDevices=,
// ProtectKernelTunables=, CapabilityBoundingSet=) do the same for other programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::netns {

/// What a host's contained programs see: the machine's files, read-only, and private folders.
struct Containment {
  /// Folders below /tmp, /var/tmp or /run that programs can read, although these are private.
  std::vector<std::string> shown;
  /// How much all files in the private folders may use together: `size` of tmpfs(5).
  std::string space = "1g";
};

/// In the mount namespace of a host: makes all mounts read-only, /proc and /sys included, and gives
/// the host an empty /tmp, /var/tmp, /run and /dev/shm, and a /dev that has no device of the
/// machine. They vanish with the host. Throws base::SystemError.
void contain_files(const Containment& containment);

/// What a program may do on its host as root (capabilities(7)).
enum class Privileges : std::uint8_t {
  all,        // what the lab may do
  server,     // change users, own files, bind low ports, send raw packets
  net_admin,  // also configure the network of the host: CAP_NET_ADMIN
};

struct ProgramRights {
  Privileges privileges = Privileges::all;
  bool user_namespaces = false;  // may make user namespaces (user_namespaces(7))
};

/// In a process that is about to start a program: drops all other capabilities, and refuses the
/// calls of refused_calls.hh, for everything that it will ever start. Without root on the machine,
/// sets no_new_privs too: setuid programs of the machine have no effect there anyway. Does nothing
/// for Privileges::all. Throws base::SystemError.
void drop_privileges(const ProgramRights& rights);

/// Overwrites the environment that this process was started with, so that its /proc/PID/environ
/// shows nothing (proc_pid_environ(5)).
void erase_environment();

/// Overwrites the command line that this process was started with, which may have secrets. Its
/// /proc/PID/cmdline (proc_pid_cmdline(5)), and that of every copy of this process, then has the
/// name only.
void erase_command_line(const std::string& name);

}  // namespace tcplab::netns
