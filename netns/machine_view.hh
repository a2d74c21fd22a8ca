// A mount namespace that shows the machine's files to the programs of hosts. It is made once, and
// every host gets a copy.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/host_config.hh"

namespace tcplab::netns {

/// The machine's files cannot be shown to hosts.
class ViewError : public base::LabError {
public:
  /// `error` is the errno of the call that failed; 0 if no call did.
  ViewError(const std::string& text, int error) : LabError(text), error_(error) {}
  /// Whether this machine, or a container, never allows a view: it has no mount namespaces for this
  /// process (mount_namespaces(7)), or refuses the mounts in them. Otherwise something failed that
  /// works at other times, such as for want of descriptors or memory.
  bool is_refusal() const;

private:
  int error_;
};

class MachineView {
public:
  /// Makes the namespace: show_machine_files() (view/machine_files.hh). Throws ViewError.
  explicit MachineView(const std::vector<std::string>& shown);

  /// Returns a descriptor of the namespace (mount_namespaces(7)), for enter_machine_view().
  int mounts() const { return mounts_.get(); }
  /// Returns the folders where programs reach sockets and FIFOs of the machine.
  const std::vector<std::string>& open_folders() const { return open_folders_; }
  const std::vector<std::string>& shown() const { return shown_; }
  /// Before a program starts: lets it see the files of the folders `shown` as they are now, in all
  /// copies of the namespace.
  void refresh() const;

private:
  std::vector<std::string> shown_;
  base::FileDescriptor mounts_;
  std::vector<base::FileDescriptor> overlays_;
  std::vector<std::string> open_folders_;
};

/// Returns a view for those of the hosts that are contained; null if none is. All show the same
/// folders: those of the run. The process keeps the newest view for hosts that are powered on
/// again. Throws like the constructor.
std::shared_ptr<const MachineView> view_for(std::span<const HostConfig> configs);

/// Like view_for(). Returns null, too, if this machine or a container never allows a view.
std::shared_ptr<const MachineView> view_if_allowed(std::span<const HostConfig> configs);

/// Moves this process into the namespace, which it must copy before it changes a mount. Its root
/// and its current folder become the root of the view.
void enter_machine_view(int mounts);

}  // namespace tcplab::netns
