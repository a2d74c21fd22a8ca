// Messages between the lab and the init of a host, over a socket pair. A message is text and any
// number of descriptors (unix(7), SCM_RIGHTS). Each message is one packet.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

struct DescriptorMessage {
  std::string text;
  std::vector<base::FileDescriptor> descriptors;  // close-on-exec
};

struct Channel {
  base::FileDescriptor ours;
  base::FileDescriptor theirs;
};
Channel make_channel();

/// Sends a message with at most 251 descriptors (the kernel's SCM_MAX_FD is 253).
/// Throws base::SystemError.
void send_message(int channel, const std::string& text, std::span<const int> descriptors = {});

/// Waits for the next message. Its text is empty if the other side has closed the channel.
DescriptorMessage receive_message(int channel);

}  // namespace tcplab::netns
