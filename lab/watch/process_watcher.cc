#include "lab/watch/process_watcher.hh"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

#include "base/error.hh"
#include "base/nearest.hh"
#include "capture/calls/call_traps.hh"
#include "capture/calls/stack_copy.hh"
#include "capture/calls/trace_loop.hh"
#include "capture/calls/traced_child.hh"
#include "capture/calls/traced_programs.hh"
#include "capture/calls/watch_request.hh"
#include "capture/event/call_thread.hh"
#include "capture/event/event_json.hh"
#include "capture/event/failing_calls.hh"
#include "capture/probes/probe_points.hh"
#include "lab/watch/call_pipe.hh"
#include "lab/watch/core_dump.hh"
#include "lab/watch/named_lines.hh"
#include "look/failure_json.hh"
#include "look/failure_recorder.hh"
#include "netns/message.hh"

namespace tcplab::lab {

using base::FileDescriptor;
using capture::TracedProgram;
using capture::TraceProgram;

namespace {

/// In the watcher's process: takes programs from the run, and writes what they do.
class Watcher : public capture::CallObserver {
public:
  explicit Watcher(int channel)
      : channel_(channel), tracer_(*this), programs_(tracer_), loop_(tracer_), named_([this] {
          loop_.interrupt();
        }) {
    tracer_.set_stop_points(probes_);
  }

  void run() {
    while (true)
      if (loop_.turn(channel_, [this] { flush(); }) && !take_request()) return;
  }

  void on_call(TracedProgram program, base::Instant at, const capture::Call& call) override {
    tell(program, at, call);
    if (const auto found = aborts_.find(program); found != aborts_.end())
      look_at_failure(program, found->second, at, call);
  }
  void on_unseen(TracedProgram program, pid_t process, const std::string& why) override {
    add_in_order(program, capture::unseen_event(process, why));
  }
  void on_probe(TracedProgram program, base::Instant at, const capture::Probe& probe) override {
    add_in_order(program, {.number = 0, .at = at, .body = probe});
  }
  void on_exit(TracedProgram /*program*/) override { flush(); }
  /// A line with the id of a thread notifies the run of its end. The end of the pipe means that
  /// nothing more will come.
  void on_ended(TracedProgram program, pid_t thread, bool is_last) override {
    if (is_last) {
      programs_.ended(program);
      aborts_.erase(program);
      for (const std::string& pattern : probes_.unmatched(program))
        note(program, "has no probe " + pattern + base::probable_words(probes_.names(), pattern));
      probes_.forget(program);
    }
    const NamedLine line{program, std::to_string(thread) + "\n", is_last, true};
    if (stacks_.contains(program)) return named_.add(line);
    put(line);
    flush();
  }

private:
  /// A program that is aborted at its first call that fails so.
  struct Abortable {
    capture::FailingCalls errors{};
    std::string core{};
    look::FailureRecorder recorder{};
    std::set<pid_t> aborted{};  // its processes
  };

  void tell(TracedProgram program, base::Instant at, const capture::Call& call) {
    const capture::Event event{.number = 0, .at = at, .body = call};
    const auto asked = stacks_.find(program);
    if (asked == stacks_.end()) return add(program, event);
    std::optional<capture::ProgramStack> stack;
    if (asked->second.match(call) && named_.has_room())
      stack = stack_reader_.read(call.pid, capture::thread_of(call));
    named_.add(program, event, std::move(stack));
  }

  /// The run reads the record before the end of the process changes anything: the kernel's answers
  /// about the peer are of the same moment.
  void look_at_failure(TracedProgram program, Abortable& of, base::Instant at,
                       const capture::Call& call) {
    of.recorder.note(call, at);
    if (!of.errors.match(call) || !of.aborted.insert(call.pid).second) return;
    try {
      const auto record = of.recorder.record(call, at, look::FailureAct::aborted);
      const NamedLine line{.program = program, .text = to_line(record)};
      if (stacks_.contains(program)) {
        named_.add(line);
        named_.wait();
      } else {
        put(line);
      }
      deliver(program);
      const std::string core = fmt::format("{}.{}", of.core, record.own_process);
      note(program, cores_.write(call, core));
    } catch (const std::runtime_error&) {  // the process was killed meanwhile
    }
    capture::abort_at(call);
  }

  /// Gives the run a chance to read what the pipe of the program cannot take at once.
  void deliver(TracedProgram program) {
    constexpr int kAttempts = 100;
    flush();
    for (int i = 0; i < kAttempts; ++i) {
      const auto found = pipes_.find(program);
      if (found == pipes_.end() || found->second.is_empty()) return;
      ::sched_yield();
      flush();
    }
  }

  /// Returns false once the run has closed the channel.
  bool take_request() {
    netns::DescriptorMessage message = netns::receive_message(channel_);
    if (message.text.empty()) return false;
    int error = 0;
    try {
      const auto act = [&](const auto& request) { return take(request, message); };
      error = std::visit(act, capture::parse_watch_request(message.text));
    } catch (const base::SystemError& failure) {
      error = failure.error();
    }
    netns::send_message(channel_, std::to_string(error));
    return true;
  }

  int take(const TraceProgram& request, netns::DescriptorMessage& message) {
    const TracedProgram program = programs_.seize(request.process);
    pipes_.emplace(program, std::move(message.descriptors.at(0)));
    if (!request.stacks.empty())
      stacks_.emplace(program, capture::FailingCalls("stack", request.stacks));
    if (!request.abort_on.empty()) {
      aborts_[program].errors = capture::FailingCalls("abort_on", request.abort_on);
      aborts_[program].core = request.core;
    }
    if (!request.probes.empty())
      probes_.choose(program, capture::ProbeChoice("probes", request.probes));
    return 0;
  }

  int take(const capture::TellCalls& request, const netns::DescriptorMessage& /*message*/) {
    const auto program = programs_.find(request.process);
    if (program && stacks_.contains(*program)) named_.wait();
    flush();
    if (!program) return 0;
    const auto found = pipes_.find(*program);
    return found == pipes_.end() || found->second.is_empty() ? 0 : EAGAIN;
  }

  template <typename Request>
  int take(const Request& request, const netns::DescriptorMessage& /*message*/) {
    return programs_.take(request);
  }

  /// The run puts the name of the program in front.
  void note(TracedProgram program, const std::string& text) {
    add_in_order(program, {.number = 0, .at = base::now(), .body = capture::Note{text}});
  }

  /// Adds an event after those whose stacks wait for their names.
  void add_in_order(TracedProgram program, const capture::Event& event) {
    if (stacks_.contains(program)) return named_.add(program, event);
    add(program, event);
  }

  void add(TracedProgram program, const capture::Event& event) {
    const auto found = pipes_.find(program);
    if (found == pipes_.end() || found->second.is_full()) return;
    CallPipe& pipe = found->second;
    capture::append_json(pipe.text(), event);
    pipe.text() += '\n';
  }

  void put(const NamedLine& line) {
    if (const auto found = pipes_.find(line.program); found != pipes_.end())
      if (line.is_end || !found->second.is_full()) found->second.text() += line.text;
    if (line.is_last) gone_.insert(line.program);
  }

  void flush() {
    for (const NamedLine& line : named_.take()) put(line);
    for (auto entry = pipes_.begin(); entry != pipes_.end();) {
      const bool is_done = entry->second.flush() && gone_.erase(entry->first) != 0;
      entry = is_done ? pipes_.erase(entry) : std::next(entry);
    }
  }

  int channel_;
  capture::Tracer tracer_;
  capture::TracedPrograms programs_;
  capture::TraceLoop loop_;
  std::map<TracedProgram, CallPipe> pipes_;
  std::set<TracedProgram> gone_;                           // their pipes close once they are empty
  std::map<TracedProgram, capture::FailingCalls> stacks_;  // which calls have their stack
  std::map<TracedProgram, Abortable> aborts_;
  CoreDumps cores_;
  capture::StackReader stack_reader_;
  capture::ProbePoints probes_{
      *this, [this](const capture::StoppedThread& thread, const std::string& why) {
        note(thread.program, "has probes at which tcplab cannot stop: " + why);
      }};
  NamedLines named_;  // of the programs in stacks_
};

void block(int signal) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, signal);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
}

[[noreturn]] void run_watcher(int channel) {
  int status = 0;
  try {
    netns::restore_signals();
    std::signal(SIGPIPE, SIG_IGN);
    block(SIGCHLD);  // for CoreDumps
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
  WatchedStart(ProcessWatcher& watcher, int calls, WatchPlan plan,
               std::vector<capture::InjectionId>& rules, std::function<void()> meanwhile)
      : watcher_(watcher),
        calls_(calls),
        meanwhile_(std::move(meanwhile)),
        plan_(std::move(plan)),
        rules_(rules),
        gate_(capture::IoUring::refused,
              plan_.probes.empty() ? capture::FileMappings::unseen : capture::FileMappings::seen) {}

  void in_lab(pid_t pid) override {
    watcher_.seize(pid, calls_, plan_, meanwhile_);
    for (const capture::InjectionRule& rule : plan_.rules)
      rules_.push_back(watcher_.inject(pid, rule));
    gate_.open();
  }
  void in_child() override { gate_.wait(); }
  void before_exec() override { gate_.install(); }

private:
  ProcessWatcher& watcher_;
  int calls_;
  std::function<void()> meanwhile_;
  WatchPlan plan_;
  std::vector<capture::InjectionId>& rules_;
  capture::TraceGate gate_;
};

ProcessWatcher::ProcessWatcher() {
  netns::Channel channel = netns::make_channel();
  process_ = netns::clone_process(0);
  if (process_.pid == 0) run_watcher(channel.theirs.get());
  channel_ = std::move(channel.ours);
}

std::unique_ptr<netns::SpawnHook> ProcessWatcher::watch(netns::SpawnRequest& request, int calls,
                                                        WatchPlan plan,
                                                        std::vector<capture::InjectionId>& rules) {
  base::check("make a pipe non-blocking", ::fcntl(calls, F_SETFL, O_NONBLOCK));
  auto start =
      std::make_unique<WatchedStart>(*this, calls, std::move(plan), rules, request.meanwhile);
  request.hook = start.get();
  return start;
}

/// Returns the watcher's answer, an errno. Calls `meanwhile` every millisecond until it comes.
int ProcessWatcher::ask(const capture::WatchRequest& request, std::span<const int> descriptors,
                        const std::function<void()>& meanwhile) {
  const netns::LentPriority lent(process_.pid);
  netns::send_message(channel_.get(), capture::to_text(request), descriptors);
  netns::await_readable(channel_.get(), meanwhile);
  const netns::DescriptorMessage answer = netns::receive_message(channel_.get());
  if (answer.text.empty()) throw base::LabError("the watcher of calls has ended");
  return std::atoi(answer.text.c_str());
}

void ProcessWatcher::seize(pid_t pid, int calls, const WatchPlan& plan,
                           const std::function<void()>& meanwhile) {
  const std::array descriptors = {calls};
  const int error = ask(TraceProgram{pid, plan.stacks, plan.abort_on, plan.probes, plan.core},
                        descriptors, meanwhile);
  if (error != 0) throw base::SystemError("trace a program (see tcplab doctor)", error);
}

}  // namespace tcplab::lab
