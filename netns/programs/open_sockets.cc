#include "netns/programs/open_sockets.hh"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace tcplab::netns {

namespace {

constexpr int kProbed = 8;         // descriptors after the last one found
constexpr std::size_t kFew = 256;  // descriptors, read for each question
constexpr std::string_view kSocket = "socket:[";

}  // namespace

OpenSockets::OpenSockets(pid_t process) : folder_("/proc/" + std::to_string(process) + "/fd/") {}

Holding OpenSockets::look_for(std::uint32_t inode) {
  if (const auto found = descriptors_.find(inode); found != descriptors_.end()) {
    if (inode_at(found->second) == inode) return Holding::yes;
    descriptors_.erase(found);
  }
  const int first = next_;
  for (int descriptor = first; descriptor < first + kProbed; ++descriptor)
    if (is_at(descriptor, inode)) return Holding::yes;
  if (std::max(count_, descriptors_.size()) > kFew) return Holding::unknown;
  read_all();
  return had(inode) ? Holding::yes : Holding::no;
}

/// Empty if the descriptor is closed, or is no socket.
std::optional<std::uint32_t> OpenSockets::inode_at(int descriptor) const {
  std::array<char, 64> target;
  const std::string path = folder_ + std::to_string(descriptor);
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  if (size <= 0) return std::nullopt;
  std::string_view text(target.data(), static_cast<std::size_t>(size));
  if (!text.starts_with(kSocket)) return std::nullopt;
  text.remove_prefix(kSocket.size());
  std::uint32_t inode = 0;
  if (std::from_chars(text.begin(), text.end(), inode).ec != std::errc{}) return std::nullopt;
  return inode;
}

bool OpenSockets::is_at(int descriptor, std::uint32_t inode) {
  if (inode_at(descriptor) != inode) return false;
  remember(descriptor, inode);
  return true;
}

void OpenSockets::remember(int descriptor, std::uint32_t inode) {
  descriptors_[inode] = descriptor;
  next_ = std::max(next_, descriptor + 1);
}

void OpenSockets::read_all() {
  descriptors_.clear();
  next_ = 0;
  count_ = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    int descriptor = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), descriptor).ec != std::errc{})
      continue;
    ++count_;
    if (const auto inode = inode_at(descriptor)) remember(descriptor, *inode);
  }
}

}  // namespace tcplab::netns
