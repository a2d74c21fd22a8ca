// Disks of hosts: folders whose files survive when the host loses its power, and vanish with the
// run. They are on a tmpfs in the mount namespace of the run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "netns/host_config.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

/// What a script wants.
struct DiskPlan {
  std::string path;                           // on the host
  std::string from{};                         // the folder that is copied; empty: an empty disk
  std::optional<mode_t> mode{};               // of its top folder; nothing: that of `from`, or 0755
  std::optional<netns::ProgramUser> owner{};  // of all its files; nothing: the owners of `from`
};

/// A disk of one host.
struct HostDisk {
  std::string path;   // on the host
  std::string store;  // where the run has its files
};

/// How much all disks of a run hold together. It bounds what programs can fill.
struct DiskRoom {
  std::uint64_t bytes = 0;  // 0: as much as the machine has
  std::string advice{};     // for the error of a full disk: how to get more
};

class DiskStore {
public:
  /// `place`: a folder that does not exist yet; the tmpfs hides it from all but the run.
  DiskStore(std::filesystem::path place, DiskRoom room)
      : place_(std::move(place)), room_(std::move(room)) {}
  DiskStore(const DiskStore&) = delete;
  DiskStore& operator=(const DiskStore&) = delete;
  ~DiskStore();

  /// Makes a disk. Throws base::SystemError if nothing can be mounted (EPERM: the run has no mount
  /// namespace of its own). Calls `meanwhile` while it copies. Throws base::UsageError if `from`
  /// cannot be copied, and base::LabError if it does not fit.
  HostDisk make(const DiskPlan& plan, const std::function<void()>& meanwhile);

  /// True before the first disk is made.
  bool is_empty() const { return count_ == 0; }

  /// Mounts the disk on a host, writable. Missing folders are made if they are private to the host;
  /// any other path must be a folder there. Throws base::UsageError.
  static void attach(const HostDisk& disk, netns::Machine& machine);

  /// Hides all disks from a host that was switched on after they were made: it sees the mounts of
  /// the run, or has a copy of them.
  void hide(netns::Machine& machine) const;

private:
  void mount();
  void fill(const DiskPlan& plan, const std::filesystem::path& store,
            const std::function<void()>& meanwhile) const;
  std::string no_room(const DiskPlan& plan) const;

  std::filesystem::path place_;
  DiskRoom room_;
  bool is_mounted_ = false;
  int count_ = 0;  // disks that were made
};

/// Throws base::UsageError unless a disk may be there: the path is absolute, without ".", ".." and
/// "//", and not "/" or in /proc, /sys or /dev.
void require_disk_path(const std::string& path);

}  // namespace tcplab::lab
