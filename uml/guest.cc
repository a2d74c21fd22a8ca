#include "uml/guest.hh"

#include <linux/netlink.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <sstream>

#include "netns/netlink.hh"

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

PayloadWriter numbers(std::initializer_list<std::uint64_t> values) {
  PayloadWriter to;
  for (const std::uint64_t value : values) to.number(value);
  return to;
}

std::uint64_t as_number(auto value) { return static_cast<std::uint64_t>(value); }

}  // namespace

/// Netlink(7) by way of the agent.
class Guest::Questions : public base::KernelQuestions {
public:
  Questions(Guest& guest, int protocol) : guest_(guest), protocol_(protocol) {}

  void send(Bytes request) override {
    answer_ =
        guest_.ask(Kind::question, numbers({as_number(protocol_)}).rest(request).payload()).payload;
    is_taken_ = false;
  }

  /// Returns the whole answer at once.
  Bytes receive() override {
    if (std::exchange(is_taken_, true))
      throw base::LabError(guest_.config().name + ": its kernel has no more to answer");
    return answer_;
  }

private:
  Guest& guest_;
  int protocol_;
  std::vector<std::uint8_t> answer_;
  bool is_taken_ = true;
};

Guest::Guest(GuestClock& clock, const GuestRequest& request)
    : config_(request.config),
      kernel_path_(request.kernel.kernel),
      view_(request.kernel.view),
      waits_(base::check("create an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      poll_(base::check("wait for a guest", ::epoll_create1(EPOLL_CLOEXEC))) {
  ChannelSockets ends = make_channel_sockets();
  channel_ = std::make_unique<GuestChannel>(std::move(ends.ours));
  place_ = clock.add([this] { return is_quiet(); });
  process_ = std::make_unique<KernelProcess>(request.kernel, *place_, ends.theirs);
  place_->set_process(process_->pid());
  for (const int each : {channel_->descriptor(), waits_.get(), process_->console_descriptor(),
                         process_->end_descriptor()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    base::check("wait for a guest", ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, each, &event));
  }
}

Guest::~Guest() { power_off(); }

void Guest::power_off() {
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

std::string Guest::activity() const {
  return place_->activity() + "; " + (process_ ? process_->activity() : "its power is off");
}

std::string Guest::last_words() const {
  const std::string words = process_ ? process_->last_words() : "its power is off";
  return words.empty() ? "it has said nothing" : words;
}

void Guest::throw_dead() {
  if (process_) process_->await_end();  // its channel may be closed while it still speaks
  throw base::LabError(config_.name + ": its kernel " + kernel_path_ +
                       " has ended: " + last_words());
}

/// Takes from the channel all that waits there.
void Guest::fetch() {
  if (!is_on()) throw_dead();
  process_->read_console();
  while (auto message = channel_->receive()) received_.push_back(std::move(*message));
  if (channel_->is_closed() || process_->has_ended()) throw_dead();
}

/// Makes descriptor() readable as long as messages wait here.
void Guest::note_waiting() {
  std::uint64_t count = 1;
  [[maybe_unused]] const ssize_t size = received_.empty()
                                            ? ::read(waits_.get(), &count, sizeof count)
                                            : ::write(waits_.get(), &count, sizeof count);
}

bool Guest::is_quiet() const {
  pollfd waiting{channel_->descriptor(), POLLIN, 0};
  return received_.empty() && ::poll(&waiting, 1, 0) == 0;
}

Message Guest::ask(Kind kind, Bytes payload) {
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
      throw Refusal(error, config_.name + ": " + refusal.text());
    }
    if (message) {
      received_.push_back(*message);
      continue;
    }
    if (channel_->is_closed() || process_->has_ended()) throw_dead();
    if (steady_clock::now() > deadline)
      throw base::LabError(config_.name + ": its agent does not answer: " + activity() +
                           "; the last words of its kernel: " + last_words());
    std::array<pollfd, 3> waiting{pollfd{channel_->descriptor(), POLLIN, 0},
                                  pollfd{process_->end_descriptor(), POLLIN, 0},
                                  pollfd{process_->console_descriptor(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), 1000);
    process_->read_console();
  }
}

std::uint64_t Guest::ask_number(Kind kind, Bytes payload) {
  const Message answer = ask(kind, payload);
  return PayloadReader(answer.payload).number();
}

void Guest::receive() {
  fetch();
  while (is_on() && !received_.empty()) {
    const Message message = std::move(received_.front());
    received_.pop_front();
    if (listener_ != nullptr) tell(message);
  }
  note_waiting();
  if (is_on() && channel_->to_acknowledge() > kMostUntold) ask(Kind::credit, {});
}

void Guest::tell(const Message& message) {
  PayloadReader from(message.payload);
  switch (message.kind) {
    case Kind::sent_frame: {
      const auto nic = from.as<std::size_t>();
      const base::Instant sent = instant_of(from.number());
      const Bytes answer = from.bytes();
      return listener_->frame(nic, sent, from.rest(), answer);
    }
    case Kind::output: {
      const auto program = from.as<pid_t>();
      const int descriptor = from.as<int>();
      return listener_->output(program, descriptor, from.rest());
    }
    case Kind::output_end: {
      const auto program = from.as<pid_t>();
      return listener_->output_end(program, from.as<int>());
    }
    case Kind::ended: {
      const auto program = from.as<pid_t>();
      return listener_->ended(program, from.as<int>());
    }
    case Kind::dns_query: {
      const bool is_tcp = from.number() != 0;
      const Bytes asker = from.bytes();
      return listener_->dns_query(is_tcp, asker, from.rest());
    }
    case Kind::destroyed:
      return listener_->destroyed(from.rest());
    default:
      throw base::LabError(config_.name + ": its agent sends an unknown message");
  }
}

base::Instant Guest::instant_of(std::uint64_t guest_time) const {
  return base::from_nanoseconds(static_cast<std::int64_t>(guest_time)) + clock_offset_;
}

Delivered Guest::deliver(std::size_t nic, Bytes frame) {
  const Message answer = ask(Kind::frame, numbers({nic}).rest(frame).payload());
  PayloadReader from(answer.payload);
  Delivered delivered;
  delivered.is_accepted = from.number() != 0;
  delivered.at = instant_of(from.number());
  const Bytes rest = from.rest();
  delivered.answer.assign(rest.begin(), rest.end());
  return delivered;
}

std::unique_ptr<base::KernelQuestions> Guest::questions(int protocol) {
  return std::make_unique<Questions>(*this, protocol);
}

pid_t Guest::start(const ProgramStart& program) {
  if (view_) view_->refresh();
  return static_cast<pid_t>(ask_number(Kind::start, write_payload(program)));
}

void Guest::input(pid_t program, Bytes bytes) {
  ask(Kind::input, numbers({as_number(program)}).rest(bytes).payload());
}

void Guest::close_input(pid_t program) {
  ask(Kind::close_input, numbers({as_number(program)}).payload());
}

int Guest::ask_tracer(const std::string& request) {
  return static_cast<int>(ask_number(Kind::trace, PayloadWriter().text(request).payload()));
}

std::vector<std::string> Guest::record_tracepoints(
    const std::vector<netns::TracepointChoice>& choices) {
  const Message answer = ask(Kind::tracepoints, write_payload(choices));
  std::vector<std::string> formats;
  PayloadReader(answer.payload).list([&](PayloadReader& each) { formats.push_back(each.text()); });
  return formats;
}

netns::TraceRecords Guest::take_tracepoints() {
  const Message answer = ask(Kind::trace_pages, {});
  netns::TraceRecords records{.pages = {}, .clock_offset = clock_offset_};
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    const Bytes page = each.bytes();
    records.pages.emplace_back(page.begin(), page.end());
  });
  return records;
}

bool Guest::signal(pid_t process, int signal) {
  return ask_number(Kind::signal, numbers({as_number(process), as_number(signal)}).payload()) != 0;
}

std::size_t Guest::signal_all(netns::ProcessMark mark, int signal) {
  return ask_number(Kind::signal_all, numbers({mark.number, as_number(signal)}).payload());
}

void Guest::signal_every(int signal) {
  ask(Kind::signal_every, numbers({as_number(signal)}).payload());
}

std::vector<pid_t> Guest::processes(netns::ProcessMark mark) {
  const Message answer = ask(Kind::processes, numbers({mark.number}).payload());
  std::vector<pid_t> pids;
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    pids.push_back(each.as<pid_t>());
  });
  return pids;
}

std::vector<std::uint32_t> Guest::sockets(const std::vector<pid_t>& processes) {
  PayloadWriter to;
  to.list(processes, [](PayloadWriter& list, pid_t pid) { list.number(as_number(pid)); });
  const Message answer = ask(Kind::sockets, to.payload());
  std::vector<std::uint32_t> inodes;
  PayloadReader(answer.payload).list([&](PayloadReader& each) {
    inodes.push_back(each.as<std::uint32_t>());
  });
  return inodes;
}

void Guest::listen_dns(const std::vector<base::IpAddress>& addresses) {
  ask(Kind::dns_listen, write_payload(addresses));
}

void Guest::reply_dns(Bytes asker, Bytes reply) {
  ask(Kind::dns_reply, PayloadWriter().bytes(asker).rest(reply).payload());
}

bool Guest::ignores(pid_t process, int signal) {
  try {
    std::istringstream lines(read_file("/proc/" + std::to_string(process) + "/status"));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("SigIgn:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  } catch (const Refusal&) {
    // It has ended.
  }
  return false;
}

bool Guest::sleeps(pid_t process) {
  try {
    const std::string line = read_file("/proc/" + std::to_string(process) + "/stat");
    const auto name_end = line.rfind(')');  // the name may contain parentheses
    return name_end != std::string::npos && name_end + 2 < line.size() && line[name_end + 2] == 'S';
  } catch (const Refusal&) {
    return false;
  }
}

}  // namespace tcplab::uml
