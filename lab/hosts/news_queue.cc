#include "lab/hosts/news_queue.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

class QueuedNews : public base::KernelNews {
public:
  explicit QueuedNews(std::shared_ptr<NewsQueue> queue) : queue_(std::move(queue)) {}

  int descriptor() const override { return queue_->descriptor(); }
  News take() override { return queue_->take(); }

private:
  std::shared_ptr<NewsQueue> queue_;
};

}  // namespace

NewsQueue::NewsQueue()
    : waiting_(base::check("make an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {}

void NewsQueue::add(base::Bytes messages) {
  messages_.emplace_back(messages.begin(), messages.end());
  const std::uint64_t one = 1;
  base::check("signal a message", ::write(waiting_.get(), &one, sizeof one));
}

base::KernelNews::News NewsQueue::take() {
  if (messages_.empty()) {
    std::uint64_t count = 0;
    if (::read(waiting_.get(), &count, sizeof count) == -1 && errno != EAGAIN)
      throw base::SystemError("note that no message waits", errno);
    return {};
  }
  taken_ = std::move(messages_.front());
  messages_.pop_front();
  return {.messages = taken_, .has_lost = taken_.empty()};
}

std::unique_ptr<base::KernelNews> read_news(std::shared_ptr<NewsQueue> queue) {
  return std::make_unique<QueuedNews>(std::move(queue));
}

}  // namespace tcplab::lab
