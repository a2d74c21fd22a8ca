// A queue of netlink messages that the kernel of a kernel host has sent unasked.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"

namespace tcplab::lab {

class NewsQueue {
public:
  NewsQueue();

  /// Empty if the kernel has dropped messages.
  void add(base::Bytes messages);
  int descriptor() const { return waiting_.get(); }
  base::KernelNews::News take();

private:
  base::FileDescriptor waiting_;  // an eventfd, readable while messages wait
  std::deque<std::vector<std::uint8_t>> messages_;
  std::vector<std::uint8_t> taken_;
};

/// Returns the reader of a queue.
std::unique_ptr<base::KernelNews> read_news(std::shared_ptr<NewsQueue> queue);

}  // namespace tcplab::lab
