#include "netns/message.hh"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

constexpr std::size_t kMaxDescriptors = 251;
constexpr std::size_t kMaxText = 16384;

struct alignas(cmsghdr) ControlBuffer {
  std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> bytes{};
};

std::vector<base::FileDescriptor> take_descriptors(msghdr& header) {
  std::vector<base::FileDescriptor> taken;
  for (auto* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      taken.emplace_back(descriptor);
    }
  }
  return taken;
}

}  // namespace

Channel make_channel() {
  int ends[2];
  base::check("make a socket pair",
              socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, static_cast<int*>(ends)));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

void send_message(int channel, const std::string& text, std::span<const int> descriptors) {
  const std::size_t size = std::min(text.size(), kMaxText);
  iovec data{const_cast<char*>(text.data()), size};
  ControlBuffer control;
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    if (descriptors.size() > kMaxDescriptors)
      throw base::LabError("too many NICs on one host: at most 249");
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    auto* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  base::check("send a message between the lab and a host", sendmsg(channel, &header, MSG_NOSIGNAL));
}

DescriptorMessage receive_message(int channel) {
  DescriptorMessage message;
  message.text.resize(kMaxText);
  iovec data{message.text.data(), message.text.size()};
  ControlBuffer control;
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  long size = -1;
  do {
    size = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  } while (size == -1 && errno == EINTR);
  if (size == -1 && errno == ECONNRESET) size = 0;  // it ended before it read our message
  base::check("receive a message between the lab and a host", size);
  message.text.resize(static_cast<std::size_t>(size));
  message.descriptors = take_descriptors(header);
  return message;
}

}  // namespace tcplab::netns
