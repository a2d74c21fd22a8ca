#include "lab/programs/lab_program.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <utility>

#include "base/error.hh"
#include "base/pseudoterminal.hh"
#include "capture/event/event_json.hh"
#include "lab/watch/call_watcher.hh"
#include "netns/clone.hh"

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;
using namespace std::chrono_literals;

namespace {

constexpr int kEventsDescriptor = 3;  // in dnc
constexpr auto kLongestDeath = 5s;
constexpr auto kPumpEvery = 1ms;

/// The ends of its pipes: those of the program, and ours.
struct Plumbing {
  base::Pipe input = base::make_pipe();
  base::Pipe output = base::make_pipe();
  base::Pipe errors = base::make_pipe();
  base::Pipe calls = base::make_pipe();
};

/// A pseudoterminal (pty(7)): the program has one end for all its standard streams, we the other.
void use_terminal(Plumbing& plumbing) {
  base::Pseudoterminal made = base::make_pseudoterminal();
  plumbing.input.write_end = netns::duplicate(made.ours.get());
  plumbing.input.read_end = netns::duplicate(made.theirs.get());
  plumbing.errors.write_end = netns::duplicate(made.theirs.get());
  plumbing.output = {std::move(made.ours), std::move(made.theirs)};
}

netns::SpawnRequest spawn_request(const ProgramRequest& request, const Plumbing& plumbing) {
  netns::SpawnRequest spawn = request.spawn;
  spawn.descriptors = {{0, plumbing.input.read_end.get()},
                       {1, plumbing.output.write_end.get()},
                       {2, plumbing.errors.write_end.get()}};
  if (request.reports_calls) spawn.descriptors[kEventsDescriptor] = plumbing.calls.write_end.get();
  return spawn;
}

}  // namespace

struct LabProgram::Streams {
  explicit Streams(boost::asio::io_context& loop) : end(loop), input(loop) {}

  stream_descriptor end;    // the pidfd, readable once the program has ended
  stream_descriptor input;  // the program's standard input
};

struct LabProgram::Delays {
  Delays(const ProgramSurroundings& around, const std::string& program)
      : signals(around.clock, around.perturbation, "signal to " + program, 2),
        end(around.clock, around.perturbation, "end of " + program, 2) {
    for (const char* stream : {"calls", "stdout", "stderr"})
      reports.emplace_back(around.clock, around.perturbation,
                           std::string(stream) + " of " + program, 8);
  }

  DelayedActs signals;
  DelayedActs end;
  std::deque<DelayedActs> reports;  // as readers_
};

LabProgram::LabProgram(const ProgramSurroundings& around, netns::Machine& machine, std::string host,
                       const ProgramRequest& request)
    : timeline_(around.timeline),
      output_(request.output),
      host_(std::move(host)),
      name_(request.name),
      watcher_(request.watcher),
      reports_calls_(request.reports_calls),
      has_terminal_(request.spawn.has_terminal),
      streams_(std::make_unique<Streams>(around.loop)) {
  Plumbing plumbing;
  if (has_terminal_ && !machine.makes_terminals()) use_terminal(plumbing);
  netns::SpawnRequest spawn = spawn_request(request, plumbing);
  std::unique_ptr<netns::SpawnHook> watch;
  std::vector<capture::InjectionId> rules;
  if (request.watcher != nullptr) {
    WatchPlan plan{.stacks = request.stacks};
    for (const GivenInjection& given : request.injections) plan.rules.push_back(given.rule);
    watch = request.watcher->watch(spawn, plumbing.calls.write_end.get(), std::move(plan), rules);
  }
  const base::Instant at = base::now();
  process_ = machine.start(spawn);
  for (std::size_t i = 0; i < rules.size(); ++i)
    injections_.emplace(rules[i], request.injections[i]);
  timeline_.append(at, capture::Program{.host = host_,
                                        .program = name_,
                                        .pid = pid(),
                                        .change = capture::ProgramChange::started,
                                        .command = request.shown,
                                        .stream = {},
                                        .text = {}});
  make_non_blocking(plumbing.input.write_end.get());
  streams_->input.assign(plumbing.input.write_end.release());
  const auto read = [&](base::Pipe& pipe, std::function<void(std::string_view)> sink) {
    pipe.write_end.reset();
    readers_.push_back(
        std::make_unique<PipeReader>(around.loop, std::move(pipe.read_end), std::move(sink)));
  };
  read(plumbing.calls, [this](std::string_view text) { take_calls(text); });
  read(plumbing.output, [this](std::string_view text) { take_output("stdout", text); });
  read(plumbing.errors, [this](std::string_view text) { take_output("stderr", text); });
  for (auto& reader : readers_) reader->on_end = [this] { stream_ended(); };
  streams_->end.assign(process_->end_descriptor());
  if (around.perturbation.is_on()) perturb(around);
  watch_end();
}

void LabProgram::perturb(const ProgramSurroundings& around) {
  delays_ = std::make_unique<Delays>(around, host_ + "/" + name_);
  for (std::size_t i = 0; i < readers_.size(); ++i)
    readers_[i]->hold_up = [&delay = delays_->reports[i]](std::function<void()> read) {
      delay.act(std::move(read));
    };
  hold_start(around.perturbation.next("start of " + host_ + "/" + name_, 2));
}

/// It has begun already, but has hardly run: the lab has the higher priority.
void LabProgram::hold_start(base::nanoseconds delay) {
  if (delay.count() == 0) return;
  process_->signal(SIGSTOP);
  delays_->signals.act_after(delay, [this] {
    if (running_) process_->signal(SIGCONT);
  });
}

LabProgram::~LabProgram() {
  if (streams_->end.is_open()) streams_->end.release();
}

void LabProgram::type(const std::string& text) {
  to_type_ += text;
  write_more();
}

void LabProgram::close_stdin() {
  if (has_terminal_) return type("\x04");  // Ctrl-D
  close_when_typed_ = true;
  write_more();
}

/// The lab ignores SIGPIPE. If the program no longer reads, its end will tell.
void LabProgram::write_more() {
  stream_descriptor& input = streams_->input;
  while (input.is_open() && !to_type_.empty()) {
    const ssize_t size = ::write(input.native_handle(), to_type_.data(), to_type_.size());
    if (size >= 0) {
      to_type_.erase(0, static_cast<std::size_t>(size));
    } else if (errno == EAGAIN) {
      input.async_wait(stream_descriptor::wait_write,
                       [this](const boost::system::error_code& error) {
                         if (!error) write_more();
                       });
      return;
    } else {
      input.close();
    }
  }
  if (close_when_typed_ && input.is_open()) input.close();
}

capture::InjectionId LabProgram::inject(const GivenInjection& given) {
  const capture::InjectionId id = watcher_->inject(pid(), given.rule);
  injections_.emplace(id, given);
  return id;
}

void LabProgram::remove_injection(capture::InjectionId id) {
  watcher_->remove_injection(id);
  injections_.erase(id);
}

std::optional<IdleInjection> LabProgram::idle_injection() const {
  for (const auto& [id, given] : injections_) {
    if (given.is_optional) continue;
    if (const auto matches = watcher_->idle_matches(id)) return IdleInjection{given, *matches};
  }
  return std::nullopt;
}

void LabProgram::catch_up() {
  PipeReader& calls = *readers_.front();
  while (is_traced() && !watcher_->tell_calls(pid())) calls.drain();
  calls.drain();
}

void LabProgram::note_signal(int signal, bool to_all) {
  if (signal == SIGSTOP || signal == SIGCONT) is_frozen_ = signal == SIGSTOP;
  const bool ends_dnc = signal == SIGTERM || signal == SIGINT;
  if (signal != SIGKILL && (!reports_calls_ || !ends_dnc || is_frozen_)) return;
  is_dying_ = true;
  all_die_ = all_die_ || to_all;
}

void LabProgram::await_death(const std::function<void()>& meanwhile) {
  if (!std::exchange(is_dying_, false)) return;
  if (delays_) delays_->signals.hurry();
  const auto deadline = std::chrono::steady_clock::now() + kLongestDeath;
  while (!process_->await_end(all_die_, kPumpEvery) && std::chrono::steady_clock::now() < deadline)
    meanwhile();
  if (running_) has_ended_by_now();
}

bool LabProgram::signal(int signal) {
  note_signal(signal, false);
  if (!delays(signal)) return running_ && process_->signal(signal);
  if (running_) process_->signal(SIGSTOP);
  delays_->signals.act([this, signal] {
    if (!running_) return;
    process_->signal(signal);
    process_->signal(SIGCONT);
  });
  return running_;
}

/// Whether a process would not handle the signal at once on a busy machine. From the signal on, it
/// runs no more of its own code, so it is stopped until it gets the signal.
bool LabProgram::delays(int signal) {
  if (!delays_) return false;
  const bool has_delay = signal != SIGSTOP && signal != SIGCONT && !is_frozen_;
  if (!has_delay) delays_->signals.hurry();
  return has_delay;
}

std::size_t LabProgram::signal_all(int signal) {
  note_signal(signal, true);
  if (signal != SIGSTOP && signal != SIGCONT) expect_end();
  if (!delays(signal)) return process_->signal_all(signal);
  const std::size_t count = processes().size();
  if (running_) process_->signal(SIGSTOP);
  delays_->signals.act([this, signal] {
    process_->signal_all(signal);
    process_->signal_all(SIGCONT);
  });
  return count;
}

bool LabProgram::is_silent() const {
  return !running_ &&
         std::ranges::all_of(readers_, [](const auto& reader) { return reader->at_end(); });
}

void LabProgram::add_connection(const ConnectionKey& key) {
  if (connections_.insert(key).second && on_connection) on_connection(key);
}

/// The recorded calls of its workers name their connections. Without recorded calls, the answer is
/// unknown until read_sockets() has read the descriptors of the workers.
netns::Holding LabProgram::look_for(std::uint32_t inode) const {
  if (!running_) return netns::Holding::no;
  const netns::Holding main = process_->look_for(inode);
  const bool may_be_workers = main == netns::Holding::no && !has_recorded_calls();
  return may_be_workers ? netns::Holding::unknown : main;
}

void LabProgram::read_sockets() { process_->read_sockets(!has_recorded_calls()); }

void LabProgram::take_output(const std::string& stream, std::string_view text) {
  timeline_.append(base::now(), capture::Program{.host = host_,
                                                 .program = name_,
                                                 .pid = pid(),
                                                 .change = capture::ProgramChange::wrote,
                                                 .command = {},
                                                 .stream = stream,
                                                 .text = std::string(text)});
  if (output_ != nullptr) output_->spend(text.size());
}

void LabProgram::take_calls(std::string_view text) {
  partial_line_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = partial_line_.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    take_call(std::string_view(partial_line_).substr(begin, end - begin));
  partial_line_.erase(0, begin);
}

/// A line without an event is the stack of the next call, or the id of a thread that has ended.
void LabProgram::take_call(std::string_view line) {
  if (stacks_.take(line)) return;
  if (!line.starts_with('{')) {
    is_end_told_ = is_end_told_ || line == std::to_string(pid());
    return tracer_has_waited();
  }
  capture::Event event = capture::parse_event(line);
  event.at += process_->clock_offset();
  if (auto* change = std::get_if<capture::Program>(&event.body)) {
    change->host = host_;
    change->program = name_;
    timeline_.append(event.at, std::move(event.body));
    return;
  }
  auto* call = std::get_if<capture::Call>(&event.body);
  if (call == nullptr) return;
  call->entered += process_->clock_offset();
  call->host = host_;
  call->program = name_;
  stacks_.name(*call);
  if (call->local && call->remote) add_connection({*call->local, *call->remote});
  descriptors_.note(*call, event.at);
  timeline_.append(event.at, std::move(event.body));
}

void LabProgram::watch_end() {
  streams_->end.async_wait(stream_descriptor::wait_read,
                           [this](const boost::system::error_code& error) {
                             if (error) return;
                             if (!delays_) return ended();
                             delays_->end.act([this] { ended(); });
                           });
}

/// The last stream may end after the program: its children, or the watcher, still had it.
void LabProgram::stream_ended() {
  tracer_has_waited();
  if (is_silent() && on_silent) on_silent();
}

/// Another process of the program may have ended; then ended() waits again.
void LabProgram::tracer_has_waited() {
  if (!waits_for_tracer_) return;
  waits_for_tracer_ = false;
  watch_end();
}

/// A tracer waits for the program first (ptrace(2)), and the pidfd is readable meanwhile. Our
/// watcher says when it has waited and has told all calls: the names of stacks may take longer. A
/// loop until then could keep it from running.
void LabProgram::ended() {
  waits_for_tracer_ = is_traced() && !is_end_told_ && !readers_.front()->at_end();  // the calls
  if (!waits_for_tracer_ && running_ && !has_ended_by_now()) watch_end();
}

/// Returns whether it has ended, and puts that on the timeline.
bool LabProgram::has_ended_by_now() {
  if (is_traced() && !is_end_told_ && !readers_.front()->at_end()) {
    readers_.front()->drain();
    if (!is_end_told_) return false;
  }
  const std::optional<netns::ProgramEnd> end = process_->try_wait();
  if (!end) return false;
  const base::Instant at = base::now();
  for (auto& reader : readers_) reader->drain();  // what it said before it ended comes before it
  running_ = false;
  streams_->end.release();  // the descriptor belongs to the process
  has_succeeded_ = end->has_exited && end->value == 0;
  ending_ = end->has_exited ? "exited with status " + std::to_string(end->value)
                            : "was killed by " + base::signal_name(end->value);
  timeline_.append(at, capture::Program{.host = host_,
                                        .program = name_,
                                        .pid = pid(),
                                        .change = end->has_exited ? capture::ProgramChange::exited
                                                                  : capture::ProgramChange::killed,
                                        .command = {},
                                        .code = end->value,
                                        .stream = {},
                                        .text = {}});
  if (has_succeeded_ && !is_asked_to_end_) report_daemons();
  return true;
}

/// A program that puts itself into the background (daemon(3)) is hard to follow: nobody sees its
/// end.
void LabProgram::report_daemons() {
  const std::size_t left = processes().size();
  if (left == 0) return;
  timeline_.append(
      base::now(),
      capture::Note{title() + " has forked away: its main process has exited, and " +
                    std::to_string(left) + " of its processes run on; start it in the foreground"});
}

}  // namespace tcplab::lab
