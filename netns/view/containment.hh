// Contains the programs of a host: what they see of the machine's file system, and what they may do
// as root. bubblewrap(1) and systemd.exec(5) (ProtectSystem=strict, PrivateTmp=, PrivateDevices=,
// ProtectKernelTunables=, CapabilityBoundingSet=) do the same for other programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::netns {

/// A host with this shows its programs the machine's files, but they cannot change them.
struct Containment {
  /// Folders below /tmp, /var/tmp or /run that programs can read, although these are private.
  std::vector<std::string> shown;
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

/// In a process that is about to start a program: drops all other capabilities, for everything that
/// it will ever start. Without root on the machine, sets no_new_privs too: setuid programs of the
/// machine have no effect there anyway. Throws base::SystemError.
void drop_privileges(Privileges privileges);

/// Overwrites the environment that this process was started with, so that its /proc/PID/environ
/// shows nothing (proc_pid_environ(5)).
void erase_environment();

}  // namespace tcplab::netns
