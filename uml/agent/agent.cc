#include "uml/agent/agent.hh"

#include <sched.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/error.hh"
#include "netns/programs/processes.hh"
#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"
#include "uml/agent/guest_system.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;

constexpr int kPriority = 50;
// What may be on its way to the lab: less than a socket's buffer (net.core.wmem_default).
constexpr std::uint64_t kWindow = 64 * 1024;
constexpr int kFramesPerTurn = 16;

/// The agent answers also while programs use all the memory.
void keep_memory() {
  write_file("/proc/self/oom_score_adj", "-1000");
  base::check("lock the agent's memory", ::mlockall(MCL_CURRENT | MCL_FUTURE));
}

/// Not before the clock has gone ahead: the kernel would charge that time to a real-time process
/// that runs when it notices, and throttle it for as long (sched(7), sched_rt_runtime_us).
void become_real_time() {
  sched_param priority{};
  priority.sched_priority = kPriority;
  base::check("become a real-time process",
              ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority));
}

FileDescriptor hear_children() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return FileDescriptor(
      base::check("watch child processes", ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK)));
}

std::uint64_t clock_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

timespec timespec_of(base::nanoseconds time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {time.count() / kSecond, static_cast<long>(time.count() % kSecond)};
}

std::vector<std::uint8_t> number_payload(std::uint64_t number) {
  return PayloadWriter().number(number).payload();
}

template <typename Numbers>
std::vector<std::uint8_t> list_payload(const Numbers& numbers) {
  return PayloadWriter()
      .list(numbers, [](PayloadWriter& to, auto number) { to.number(as_number(number)); })
      .payload();
}

std::vector<std::uint8_t> pages_payload(const std::vector<std::vector<std::uint8_t>>& pages) {
  return PayloadWriter()
      .list(pages, [](PayloadWriter& to, Bytes page) { to.bytes(page); })
      .payload();
}

std::vector<pid_t> read_pids(PayloadReader& from) {
  std::vector<pid_t> pids;
  from.list([&](PayloadReader& each) { pids.push_back(each.as<pid_t>()); });
  return pids;
}

}  // namespace

Agent::Agent()
    : first_time_(clock_now()),
      first_ticks_(::times(nullptr)),
      channel_(open_channel()),
      programs_(channel_),
      dns_(channel_),
      children_(hear_children()) {
  keep_memory();
  channel_.send(Kind::up, PayloadWriter().text(kernel_release()).payload());
}

void Agent::run() {
  for (;;) {
    const auto timeout = programs_.act_on_time();
    if (may_send()) programs_.send_calls();
    for (const pollfd& ready : wait(timeout))
      if (ready.revents != 0) serve(ready);
  }
}

bool Agent::may_send() const { return channel_.unacknowledged() < kWindow; }

/// While the lab is behind, traced programs stay stopped at their calls.
std::vector<pollfd> Agent::wait(std::optional<base::nanoseconds> timeout) const {
  std::vector<pollfd> waiting;
  waiting.reserve(taps_.size() + 3);
  if (may_send())
    for (const FileDescriptor& tap : taps_) waiting.push_back({tap.get(), POLLIN, 0});
  programs_.add_to(waiting, may_send());
  dns_.add_to(waiting, may_send());
  if (may_send()) waiting.push_back({children_.get(), POLLIN, 0});
  for (const int descriptor : {destroyed_->descriptor(), channel_.descriptor()})
    waiting.push_back({descriptor, POLLIN, 0});
  timespec left = timespec_of(timeout.value_or(base::nanoseconds::zero()));  // ppoll(2) changes it
  while (::ppoll(waiting.data(), waiting.size(), timeout ? &left : nullptr, nullptr) == -1)
    if (errno != EINTR) throw base::SystemError("wait for messages", errno);
  return waiting;
}

void Agent::serve(const pollfd& ready) {
  const int descriptor = ready.fd;
  if (descriptor == channel_.descriptor()) return serve_channel();
  if (descriptor == destroyed_->descriptor()) return serve_destroyed();
  if (descriptor == children_.get()) {
    signalfd_siginfo signal{};
    base::check("watch child processes", ::read(descriptor, &signal, sizeof signal));
    return programs_.reap();
  }
  const auto tap = std::ranges::find(taps_, descriptor, &FileDescriptor::get);
  if (tap != taps_.end()) return serve_tap(static_cast<std::size_t>(tap - taps_.begin()));
  // Or it was closed since: an output at its program's end, for example.
  if (!dns_.serve(descriptor)) programs_.serve(descriptor);
}

void Agent::serve_tap(std::size_t nic) {
  std::array<std::uint8_t, 65536 + 64> frame;  // the largest MTU of a TAP, and its header
  for (int count = 0; count < kFramesPerTurn && may_send(); ++count) {
    const ssize_t size = ::read(taps_[nic].get(), frame.data(), frame.size());
    if (size == -1 && (errno == EAGAIN || errno == EINTR || errno == EIO)) return;
    base::check("read a frame", static_cast<long>(size));
    const Bytes bytes = Bytes(frame).first(static_cast<std::size_t>(size));
    PayloadWriter to;
    to.number(nic).number(clock_now()).bytes(kernel_.ask_about(bytes, true)).rest(bytes);
    channel_.send(Kind::sent_frame, to.payload());
  }
}

void Agent::serve_destroyed() {
  for (;;) {
    const base::KernelNews::News news = destroyed_->take();
    if (news.messages.empty() && !news.has_lost) return;
    channel_.send(Kind::destroyed, news.messages);  // empty: the kernel has dropped some
  }
}

void Agent::serve_channel() {
  while (const auto message = channel_.receive()) {
    PayloadReader request(message->payload);
    try {
      channel_.send(Kind::answer, perform(message->kind, request));
    } catch (const base::SystemError& error) {
      channel_.send(Kind::refusal, PayloadWriter()
                                       .number(static_cast<std::uint64_t>(error.error()))
                                       .text(error.what())
                                       .payload());
    } catch (const std::exception& error) {
      channel_.send(Kind::refusal, PayloadWriter().number(0).text(error.what()).payload());
    }
  }
}

std::vector<std::uint8_t> Agent::perform(Kind kind, PayloadReader& request) {
  switch (kind) {
    case Kind::configure:
      return configure(request);
    case Kind::frame:
      return deliver(request);
    case Kind::question:
      return question(request);
    case Kind::start:
    case Kind::input:
    case Kind::close_input:
    case Kind::trace:
      return use_programs(kind, request);
    case Kind::signal:
    case Kind::signal_all:
    case Kind::signal_every:
      return send_signal(kind, request);
    case Kind::processes:
      return list_payload(netns::list_processes(netns::ProcessMark{request.number()}));
    case Kind::sockets:
      return list_payload(open_sockets(read_pids(request)));
    case Kind::read_file:
    case Kind::write_file:
    case Kind::private_file:
    case Kind::attach_folder:
    case Kind::hide_folder:
      return use_files(kind, request);
    case Kind::dns_listen:
      dns_.listen(read_addresses(request.rest()));
      return {};
    case Kind::dns_reply:
      return reply(request);
    case Kind::read_clock:
      return read_clock();
    case Kind::tracepoints:
      return record_tracepoints(request);
    case Kind::trace_pages:
      return pages_payload(tracepoints_.take());
    case Kind::credit:
      return {};
    case Kind::up:
    case Kind::answer:
    case Kind::refusal:
    case Kind::sent_frame:
    case Kind::output:
    case Kind::output_end:
    case Kind::ended:
    case Kind::dns_query:
    case Kind::destroyed:
      break;
  }
  throw base::LabError("the agent does not know this question");
}

std::vector<std::uint8_t> Agent::configure(PayloadReader& request) {
  become_real_time();
  const Configuration configuration = read_configuration(request.rest());
  taps_.reserve(configuration.nics.size());
  for (const std::string& nic : configuration.nics) taps_.push_back(create_tap(nic));
  configure_system(configuration);  // after which there is no /dev/net/tun
  return {};
}

std::vector<std::uint8_t> Agent::question(PayloadReader& request) {
  const int protocol = request.as<int>();
  return kernel_.ask(protocol, request.rest());
}

std::vector<std::uint8_t> Agent::use_programs(Kind kind, PayloadReader& request) {
  if (kind == Kind::start)
    return number_payload(as_number(programs_.start(read_program_start(request.rest()))));
  if (kind == Kind::trace) return number_payload(as_number(programs_.ask_tracer(request.text())));
  const auto program = request.as<pid_t>();
  if (kind == Kind::input) programs_.input(program, request.rest());
  if (kind == Kind::close_input) programs_.close_input(program);
  return {};
}

std::vector<std::uint8_t> Agent::send_signal(Kind kind, PayloadReader& request) {
  if (kind == Kind::signal_every) {
    ::kill(-1, request.as<int>());  // all but pid 1, which is this one
    return {};
  }
  if (kind == Kind::signal_all) {
    const netns::ProcessMark mark{request.number()};
    return number_payload(netns::signal_all(mark, request.as<int>()));
  }
  const auto process = request.as<pid_t>();
  const bool is_there = ::kill(process, request.as<int>()) == 0;
  if (!is_there && errno != ESRCH) throw base::SystemError("send a signal", errno);
  return number_payload(is_there ? 1 : 0);
}

std::vector<std::uint8_t> Agent::use_files(Kind kind, PayloadReader& request) {
  if (kind == Kind::private_file) {
    netns::write_private(read_private_file(request.rest()));
    return {};
  }
  const std::string path = request.text();
  if (kind == Kind::read_file) return PayloadWriter().text(read_file(path)).payload();
  if (kind == Kind::write_file) {
    const std::string text = request.text();
    if (path == netns::kResolverFile) {
      write_resolver_file(text);
      return {};
    }
    load_module_for(path, text);
    write_file(path, text);
  }
  if (kind == Kind::attach_folder) attach_folder(path, request.text());
  if (kind == Kind::hide_folder) hide_folder(path);
  return {};
}

std::vector<std::uint8_t> Agent::reply(PayloadReader& request) {
  const Bytes asker = request.bytes();
  dns_.reply(asker, request.rest());
  return {};
}

/// The kernel's timers count ticks, as times(2) does: they may not know yet that time has passed.
std::vector<std::uint8_t> Agent::read_clock() const {
  const auto ticks = static_cast<std::uint64_t>(::times(nullptr) - first_ticks_);
  constexpr std::uint64_t kTick = 10'000'000;  // of times(2), in nanoseconds
  return PayloadWriter().number(clock_now()).number(first_time_ + ticks * kTick).payload();
}

std::vector<std::uint8_t> Agent::record_tracepoints(PayloadReader& request) {
  return PayloadWriter()
      .list(tracepoints_.record(read_tracepoints(request.rest())),
            [](PayloadWriter& to, const std::string& format) { to.text(format); })
      .payload();
}

/// Answers with 1 if the NIC has accepted the frame, the time, and its connection's state.
std::vector<std::uint8_t> Agent::deliver(PayloadReader& request) {
  const std::uint64_t nic = request.number();
  if (nic >= taps_.size()) throw base::LabError("the host has no such NIC");
  const Bytes frame = request.rest();
  const std::uint64_t before = clock_now();  // as on namespace hosts: see netns/wire.hh
  const bool is_accepted = ::write(taps_[nic].get(), frame.data(), frame.size()) != -1;
  if (!is_accepted && errno != EIO) throw base::SystemError("deliver a frame", errno);
  PayloadWriter to;
  to.number(is_accepted ? 1 : 0).number(before);
  return to.rest(kernel_.ask_about(frame, false)).payload();
}

}  // namespace tcplab::uml
