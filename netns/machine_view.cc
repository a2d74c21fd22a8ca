#include "netns/machine_view.hh"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <exception>
#include <fstream>
#include <utility>

#include "base/error.hh"
#include "base/split.hh"
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

/// The child's part: answers with the view, or with the errno of its failure and its text.
void build_or_complain(const std::vector<std::string>& shown, int channel) noexcept {
  try {
    try {
      build_view(shown, channel);
    } catch (const base::SystemError& error) {
      send_message(channel, std::to_string(error.error()) + kSeparator + error.what());
    } catch (const std::exception& error) {
      send_message(channel, std::string("0") + kSeparator + error.what());
    }
  } catch (const std::exception&) {  // the lab has died
  }
}

ViewError error_in(const std::string& answer) {
  int error = 0;
  std::from_chars(answer.data(), answer.data() + answer.size(), error);
  const std::size_t end = answer.find(kSeparator);
  return {"cannot show the machine's files to hosts: " +
              (end == std::string::npos ? "the process that prepares them has died"
                                        : answer.substr(end + 1)),
          error};
}

DescriptorMessage ask_child_for_view(const std::vector<std::string>& shown) try {
  Channel channel = make_channel();
  const Child child = clone_process(CLONE_NEWNS);
  if (child.pid == 0) {
    build_or_complain(shown, channel.theirs.get());
    ::_exit(0);
  }
  channel.theirs.reset();
  LentPriority lent(child.pid);
  DescriptorMessage answer = receive_message(channel.ours.get());
  lent.keep();
  wait_for(child);
  return answer;
} catch (const base::SystemError& error) {
  throw ViewError(error.what(), error.error());
}

/// The confined process of a kernel makes its mounts read-only with it (Linux 5.12). Without a
/// structure it fails with EINVAL, unless a container refuses it.
bool has_mount_setattr() {
  return ::syscall(SYS_mount_setattr, -1, nullptr, 0, nullptr, 0) == -1 && errno == EINVAL;
}

}  // namespace

bool ViewError::is_refusal() const {
  if (error_ == ENOSPC) {  // the limit of mount namespaces (namespaces(7)) is reached, or is 0
    long limit = 1;
    std::ifstream("/proc/sys/user/max_mnt_namespaces") >> limit;
    return limit == 0;
  }
  return error_ == EPERM || error_ == EACCES || error_ == ENOSYS || error_ == EINVAL ||
         error_ == ENODEV;
}

MachineView::MachineView(const std::vector<std::string>& shown) : shown_(shown) {
  DescriptorMessage answer = ask_child_for_view(shown);
  if (answer.descriptors.empty()) throw error_in(answer.text);
  mounts_ = std::move(answer.descriptors.front());
  overlays_ = std::move(answer.descriptors);
  overlays_.erase(overlays_.begin());
  open_folders_ = base::split(answer.text.substr(1), kSeparator);
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

std::shared_ptr<const MachineView> view_if_allowed(std::span<const HostConfig> configs) try {
  return has_mount_setattr() ? view_for(configs) : nullptr;
} catch (const ViewError& error) {
  if (error.is_refusal()) return nullptr;
  throw;
}

void enter_machine_view(int mounts) {
  base::check("enter the files of hosts", ::setns(mounts, CLONE_NEWNS));
}

}  // namespace tcplab::netns
