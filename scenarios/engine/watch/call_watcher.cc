#include "scenarios/engine/watch/call_watcher.hh"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>

#include "base/error.hh"
#include "capture/calls/trace_loop.hh"
#include "capture/event/event_json.hh"
#include "netns/message.hh"
#include "scenarios/engine/watch/call_pipe.hh"
#include "scenarios/engine/watch/watch_request.hh"

namespace tcplab::engine {

using base::FileDescriptor;
using capture::TracedProgram;

namespace {

/// In the watcher's process: takes programs from the run, and writes what they do.
class Watcher : public capture::CallObserver {
public:
  explicit Watcher(int channel) : channel_(channel), tracer_(*this), loop_(tracer_) {}

  void run() {
    while (true)
      if (loop_.turn(channel_, [this] { flush(); }) && !take_request()) return;
  }

  void on_call(TracedProgram program, base::Instant at, const capture::Call& call) override {
    add(program, {.number = 0, .at = at, .body = call});
  }
  void on_unseen(TracedProgram program, pid_t process, const std::string& why) override {
    capture::Program unseen;
    unseen.pid = process;
    unseen.change = capture::ProgramChange::calls_unseen;
    unseen.text = why;
    add(program, {.number = 0, .at = base::now(), .body = unseen});
  }
  void on_exit(TracedProgram /*program*/) override { flush(); }
  /// An empty line tells the run to wait for the program again, and the end of the pipe that there
  /// is nothing more.
  void on_ended(TracedProgram program, bool is_last) override {
    if (const auto found = pipes_.find(program); found != pipes_.end())
      found->second.text() += '\n';
    if (is_last) {
      gone_.insert(program);
      std::erase_if(programs_, [program](const auto& entry) { return entry.second == program; });
    }
    flush();
  }

private:
  /// Returns false once the run has closed the channel.
  bool take_request() {
    netns::DescriptorMessage message = netns::receive_message(channel_);
    if (message.text.empty()) return false;
    int error = 0;
    try {
      const auto act = [&](const auto& request) { return take(request, message); };
      error = std::visit(act, parse_watch_request(message.text));
    } catch (const base::SystemError& failure) {
      error = failure.error();
    }
    netns::send_message(channel_, std::to_string(error));
    return true;
  }

  int take(const TraceProgram& request, netns::DescriptorMessage& message) {
    const TracedProgram program = ++last_program_;
    pipes_.emplace(program, std::move(message.descriptors.at(0)));
    tracer_.seize(request.process, program);
    programs_[request.process] = program;
    return 0;
  }

  int take(const AddInjection& request, const netns::DescriptorMessage& /*message*/) {
    const auto found = programs_.find(request.process);
    if (found == programs_.end()) return ESRCH;
    tracer_.injections().add(request.id, found->second, request.rule);
    return 0;
  }

  int take(const RemoveInjection& request, const netns::DescriptorMessage& /*message*/) {
    tracer_.injections().remove(request.id);
    return 0;
  }

  void add(TracedProgram program, const capture::Event& event) {
    const auto found = pipes_.find(program);
    if (found == pipes_.end() || found->second.is_full()) return;
    CallPipe& pipe = found->second;
    capture::append_json(pipe.text(), event);
    pipe.text() += '\n';
  }

  void flush() {
    for (auto entry = pipes_.begin(); entry != pipes_.end();) {
      const bool is_done = entry->second.flush() && gone_.erase(entry->first) != 0;
      entry = is_done ? pipes_.erase(entry) : std::next(entry);
    }
  }

  int channel_;
  capture::Tracer tracer_;
  capture::TraceLoop loop_;
  std::map<TracedProgram, CallPipe> pipes_;
  std::map<pid_t, TracedProgram> programs_;  // by the process that the run has started
  std::set<TracedProgram> gone_;             // their pipes close once they are empty
  TracedProgram last_program_ = 0;
};

[[noreturn]] void run_watcher(int channel) {
  int status = 0;
  try {
    netns::restore_signals();
    std::signal(SIGPIPE, SIG_IGN);
    ::prctl(PR_SET_NAME, "tcplab watcher");
    const std::array kept = {channel, STDERR_FILENO};
    netns::close_all_except(kept);
    Watcher(channel).run();
  } catch (const std::exception& error) {
    const std::string line = std::string("tcplab: the watcher of calls: ") + error.what() + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    status = 1;
  }
  ::_exit(status);
}

}  // namespace

class WatchedStart : public netns::SpawnHook {
public:
  WatchedStart(CallWatcher& watcher, FileDescriptor calls)
      : watcher_(watcher), calls_(std::move(calls)), gate_(capture::IoUring::refused) {}

  void in_lab(pid_t pid) override {
    watcher_.seize(pid, calls_.get());
    gate_.open();
  }
  void in_child() override { gate_.wait(); }
  void before_exec() override { gate_.install(); }

private:
  CallWatcher& watcher_;
  FileDescriptor calls_;
  capture::TraceGate gate_;
};

CallWatcher::CallWatcher() {
  netns::Channel channel = netns::make_channel();
  process_ = netns::clone_process(0);
  if (process_.pid == 0) run_watcher(channel.theirs.get());
  channel_ = std::move(channel.ours);
}

std::unique_ptr<netns::SpawnHook> CallWatcher::watch(FileDescriptor calls) {
  base::check("make a pipe non-blocking", ::fcntl(calls.get(), F_SETFL, O_NONBLOCK));
  return std::make_unique<WatchedStart>(*this, std::move(calls));
}

/// Returns the watcher's answer, an errno.
int CallWatcher::ask(const WatchRequest& request, std::span<const int> descriptors) {
  netns::send_message(channel_.get(), to_text(request), descriptors);
  const netns::DescriptorMessage answer = netns::receive_message(channel_.get());
  if (answer.text.empty()) throw base::LabError("the watcher of calls has ended");
  return std::atoi(answer.text.c_str());
}

void CallWatcher::seize(pid_t pid, int calls) {
  const std::array descriptors = {calls};
  const int error = ask(TraceProgram{pid}, descriptors);
  if (error != 0) throw base::SystemError("trace a program (see tcplab doctor)", error);
}

capture::InjectionId CallWatcher::inject(pid_t pid, const capture::InjectionRule& rule) {
  const capture::InjectionId id = ++last_injection_;
  return ask(AddInjection{pid, id, rule}) == 0 ? id : 0;
}

void CallWatcher::remove_injection(capture::InjectionId id) { ask(RemoveInjection{id}); }

}  // namespace tcplab::engine
