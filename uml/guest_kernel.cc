#include "uml/guest_kernel.hh"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "netns/spawn.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;
using std::chrono::steady_clock;

// Only a guest that hangs takes as long as that, also on a busy machine.
constexpr std::chrono::seconds kLongestAnswer{60};
constexpr std::uint64_t kMostUntold = 16 * 1024;  // bytes received: less than the agent's window
constexpr int kBuffer = 4 * 1024 * 1024;

struct ChannelSockets {
  FileDescriptor ours;
  FileDescriptor theirs;
};

ChannelSockets make_channel_sockets() {
  std::array<int, 2> ends{};
  base::check("create a guest's channel",
              ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()));
  for (const int end : ends)  // as large as allowed; the default is enough
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kBuffer, sizeof kBuffer);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace

/// Netlink(7) by way of the agent.
class GuestKernel::Questions : public base::KernelQuestions {
public:
  Questions(GuestKernel& kernel, int protocol) : kernel_(kernel), protocol_(protocol) {}

  void send(Bytes request) override {
    answer_ = kernel_.ask(Kind::question, numbers({as_number(protocol_)}).rest(request).payload())
                  .payload;
    is_taken_ = false;
  }

  /// Returns the whole answer at once.
  Bytes receive() override {
    if (std::exchange(is_taken_, true))
      throw base::LabError(kernel_.host_ + ": its kernel has no more to answer");
    return answer_;
  }

private:
  GuestKernel& kernel_;
  int protocol_;
  std::vector<std::uint8_t> answer_;
  bool is_taken_ = true;
};

GuestKernel::GuestKernel(GuestClock& clock, std::string host, const KernelRequest& request)
    : host_(std::move(host)),
      path_(request.kernel),
      view_(request.view),
      waits_(base::check("create an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      poll_(base::check("wait for a guest", ::epoll_create1(EPOLL_CLOEXEC))) {
  ChannelSockets ends = make_channel_sockets();
  channel_ = std::make_unique<GuestChannel>(std::move(ends.ours));
  place_ = clock.add([this] { return is_quiet(); });
  process_ = std::make_unique<KernelProcess>(request, *place_, ends.theirs);
  place_->set_process(process_->pid());
  for (const int each : {channel_->descriptor(), waits_.get(), process_->console_descriptor(),
                         process_->end_descriptor()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    base::check("wait for a guest", ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, each, &event));
  }
}

GuestKernel::~GuestKernel() { power_off(); }

void GuestKernel::power_off() {
  if (!is_on()) return;
  process_->kill();
  ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, process_->console_descriptor(), nullptr);
  ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, process_->end_descriptor(), nullptr);
  process_.reset();
  place_.reset();
  channel_.reset();
  received_.clear();
  note_waiting();
}

std::string GuestKernel::do_inside(const std::function<void()>& task) const {
  return netns::do_inside(process_->end_descriptor(), task);
}

std::string GuestKernel::activity() const {
  return place_->activity() + "; " + (process_ ? process_->activity() : "its power is off");
}

std::string GuestKernel::last_words() const {
  const std::string words = process_ ? process_->last_words() : "its power is off";
  return words.empty() ? "it has said nothing" : words;
}

void GuestKernel::throw_dead() {
  if (process_) process_->await_end();  // its channel may be closed while it still speaks
  throw base::LabError(host_ + ": its kernel " + path_ + " has ended: " + last_words());
}

/// Takes from the channel all that waits there.
void GuestKernel::fetch() {
  if (!is_on()) throw_dead();
  process_->read_console();
  while (auto message = channel_->receive()) received_.push_back(std::move(*message));
  if (channel_->is_closed() || process_->has_ended()) throw_dead();
}

/// Makes descriptor() readable as long as messages wait here.
void GuestKernel::note_waiting() {
  std::uint64_t count = 1;
  [[maybe_unused]] const ssize_t size = received_.empty()
                                            ? ::read(waits_.get(), &count, sizeof count)
                                            : ::write(waits_.get(), &count, sizeof count);
}

bool GuestKernel::is_quiet() const {
  pollfd waiting{channel_->descriptor(), POLLIN, 0};
  return received_.empty() && ::poll(&waiting, 1, 0) == 0;
}

Message GuestKernel::ask(Kind kind, Bytes payload) {
  if (!is_on()) throw_dead();
  place_->resume();
  channel_->send(kind, payload);
  const auto deadline = steady_clock::now() + kLongestAnswer;
  for (;;) {
    const auto message = channel_->receive();
    if (message && message->kind == Kind::answer) {
      note_waiting();
      return *message;
    }
    if (message && message->kind == Kind::refusal) {
      note_waiting();
      PayloadReader refusal(message->payload);
      const int error = refusal.as<int>();
      throw Refusal(error, host_ + ": " + refusal.text());
    }
    if (message) {
      received_.push_back(*message);
      continue;
    }
    if (channel_->is_closed() || process_->has_ended()) throw_dead();
    if (steady_clock::now() > deadline)
      throw base::LabError(host_ + ": its agent does not answer: " + activity() +
                           "; the last words of its kernel: " + last_words());
    std::array<pollfd, 3> waiting{pollfd{channel_->descriptor(), POLLIN, 0},
                                  pollfd{process_->end_descriptor(), POLLIN, 0},
                                  pollfd{process_->console_descriptor(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), 1000);
    process_->read_console();
  }
}

std::uint64_t GuestKernel::ask_number(Kind kind, Bytes payload) {
  const Message answer = ask(kind, payload);
  return PayloadReader(answer.payload).number();
}

std::unique_ptr<base::KernelQuestions> GuestKernel::questions(int protocol) {
  return std::make_unique<Questions>(*this, protocol);
}

std::optional<Message> GuestKernel::take() {
  fetch();
  if (received_.empty()) return std::nullopt;
  Message message = std::move(received_.front());
  received_.pop_front();
  return message;
}

void GuestKernel::receive(const std::function<void(const Message&)>& handle) {
  fetch();
  while (is_on() && !received_.empty()) {
    const Message message = std::move(received_.front());
    received_.pop_front();
    handle(message);
  }
  note_waiting();
  if (is_on() && channel_->to_acknowledge() > kMostUntold) ask(Kind::credit, {});
}

}  // namespace tcplab::uml
