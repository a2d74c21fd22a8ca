#include "netns/machine_view.hh"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/message.hh"
#include "netns/view/machine_files.hh"
#include "netns/view/mounts.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

constexpr char kSeparator = '\0';

/// Sends the descriptors of the namespace and of the overlays, and the names of the open folders.
void build_view(const std::vector<std::string>& shown, int channel) {
  make_mounts_private();
  const MachineFiles files = show_machine_files(shown);
  std::vector<FileDescriptor> made;
  made.emplace_back(
      base::check("open the mount namespace", ::open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC)));
  for (const std::string& overlay : files.overlays)
    made.emplace_back(::open(overlay.c_str(), O_PATH | O_CLOEXEC));
  std::vector<int> descriptors;
  for (const FileDescriptor& each : made)
    if (each) descriptors.push_back(each.get());
  std::string open;
  for (const std::string& folder : files.open_folders) open += folder + kSeparator;
  send_message(channel, kSeparator + open, descriptors);
}

}  // namespace

MachineView::MachineView(const std::vector<std::string>& shown) : shown_(shown) {
  Channel channel = make_channel();
  const Child child = clone_process(CLONE_NEWNS);
  if (child.pid == 0) {
    try {
      build_view(shown, channel.theirs.get());
    } catch (const std::exception& error) {
      send_message(channel.theirs.get(), error.what());
    }
    ::_exit(0);
  }
  channel.theirs.reset();
  LentPriority lent(child.pid);
  DescriptorMessage answer = receive_message(channel.ours.get());
  lent.keep();
  wait_for(child);
  if (answer.descriptors.empty())
    throw base::LabError(
        "cannot show the machine's files to hosts: " +
        (answer.text.empty() ? "the process that prepares them has died" : answer.text));
  mounts_ = std::move(answer.descriptors.front());
  overlays_ = std::move(answer.descriptors);
  overlays_.erase(overlays_.begin());
  std::istringstream folders(answer.text.substr(1));
  for (std::string folder; std::getline(folders, folder, kSeparator);)
    open_folders_.push_back(folder);
}

void MachineView::refresh() const {
  for (const FileDescriptor& overlay : overlays_) refresh_overlay(overlay.get());
}

std::shared_ptr<const MachineView> view_for(std::span<const HostConfig> configs) {
  const auto contained = std::ranges::find_if(
      configs, [](const HostConfig& config) { return config.containment.has_value(); });
  if (contained == configs.end()) return nullptr;
  // A host that is powered on again would hold up all others while its view is made.
  static std::shared_ptr<const MachineView> newest;
  if (!newest || newest->shown() != contained->containment->shown)
    newest = std::make_shared<MachineView>(contained->containment->shown);
  return newest;
}

void enter_machine_view(int mounts) {
  base::check("enter the files of hosts", ::setns(mounts, CLONE_NEWNS));
  base::check("copy the mounts", ::unshare(CLONE_NEWNS));
}

}  // namespace tcplab::netns
