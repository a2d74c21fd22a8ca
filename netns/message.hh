// A line of text with descriptors beside it, over a socket pair between the lab and a host's
// init (unix(7), SCM_RIGHTS). One message a packet.
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

/// At most 250 descriptors (the kernel's SCM_MAX_FD is 253). Throws base::SystemError.
void send_message(int channel, const std::string& text, std::span<const int> descriptors = {});

/// Waits for the next message; one without text when the other side is gone.
DescriptorMessage receive_message(int channel);

}  // namespace tcplab::netns
