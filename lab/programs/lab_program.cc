#include "lab/programs/lab_program.hh"

#include <array>
#include <deque>
#include <utility>

#include "base/error.hh"
#include "base/pseudoterminal.hh"
#include "lab/watch/call_watcher.hh"
#include "netns/clone.hh"

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;

namespace {

constexpr int kEventsDescriptor = 3;  // in dnc

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

struct LabProgram::Started {
  static Started start(netns::Machine& machine, const ProgramRequest& request);

  base::Instant at;
  std::unique_ptr<netns::RunningProgram> process;
  Plumbing ours;
  std::vector<capture::InjectionId> rules;  // as those of the request
};

/// The delays of its end, and of each thing that it reports.
struct LabProgram::Delays {
  Delays(const ProgramSurroundings& around, const std::string& program,
         const std::array<PipeReader*, 3>& readers)
      : end(around.clock, around.perturbation, "end of " + program, 2) {
    constexpr std::array kStreams{"calls", "stdout", "stderr"};
    for (std::size_t i = 0; i < readers.size(); ++i) {
      DelayedActs& delay = reports.emplace_back(around.clock, around.perturbation,
                                                std::string(kStreams[i]) + " of " + program, 8);
      readers[i]->hold_up = [&delay](std::function<void()> read) { delay.act(std::move(read)); };
    }
  }

  DelayedActs end;
  std::deque<DelayedActs> reports;
};

LabProgram::Started LabProgram::Started::start(netns::Machine& machine,
                                               const ProgramRequest& request) {
  Started started{};
  Plumbing& plumbing = started.ours;
  if (request.spawn.has_terminal && !machine.makes_terminals()) use_terminal(plumbing);
  netns::SpawnRequest spawn = spawn_request(request, plumbing);
  std::unique_ptr<netns::SpawnHook> watch;
  if (request.watcher != nullptr) {
    WatchPlan plan{.stacks = request.stacks,
                   .abort_on = request.abort_on,
                   .core = request.core,
                   .probes = request.probes};
    for (const GivenInjection& given : request.injections) plan.rules.push_back(given.rule);
    watch = request.watcher->watch(spawn, plumbing.calls.write_end.get(), std::move(plan),
                                   started.rules);
  }
  started.at = base::now();
  started.process = machine.start(spawn);
  for (base::Pipe* pipe : {&plumbing.calls, &plumbing.output, &plumbing.errors})
    pipe->write_end.reset();
  return started;
}

LabProgram::LabProgram(const ProgramSurroundings& around, netns::Machine& machine, std::string host,
                       const ProgramRequest& request)
    : LabProgram(around, std::move(host), request, Started::start(machine, request)) {}

LabProgram::LabProgram(const ProgramSurroundings& around, std::string host,
                       const ProgramRequest& request, Started started)
    : timeline_(around.timeline),
      output_budget_(request.output),
      host_(std::move(host)),
      name_(request.name),
      process_(std::move(started.process)),
      end_(around.loop),
      input_(around.loop, std::move(started.ours.input.write_end), request.spawn.has_terminal),
      calls_(around, host_, request, *process_, std::move(started.ours.calls.read_end)),
      output_(around.loop, std::move(started.ours.output.read_end),
              [this](std::string_view text) { take_output("stdout", text); }),
      errors_(around.loop, std::move(started.ours.errors.read_end),
              [this](std::string_view text) { take_output("stderr", text); }),
      signals_(around, *process_, state_, host_ + "/" + name_, request.reports_calls),
      sockets_(*process_, state_, calls_) {
  for (std::size_t i = 0; i < started.rules.size(); ++i)
    calls_.injections().note(started.rules[i], request.injections[i]);
  timeline_.append(started.at, capture::Program{.host = host_,
                                                .program = name_,
                                                .pid = pid(),
                                                .change = capture::ProgramChange::started,
                                                .command = request.shown,
                                                .stream = {},
                                                .text = {}});
  calls_.on_connection = [this](const ConnectionKey& key) { sockets_.add(key); };
  calls_.on_thread_end = [this] { tracer_has_waited(); };
  const std::array<PipeReader*, 3> readers{&calls_.reader(), &output_, &errors_};
  for (PipeReader* reader : readers) reader->on_end = [this] { stream_ended(); };
  end_.assign(process_->end_descriptor());
  if (around.perturbation.is_on())
    delays_ = std::make_unique<Delays>(around, host_ + "/" + name_, readers);
  watch_end();
}

LabProgram::~LabProgram() {
  if (end_.is_open()) end_.release();
}

void LabProgram::await_death(const std::function<void()>& meanwhile) {
  if (signals_.await_death(meanwhile) && running()) has_ended_by_now();
}

bool LabProgram::is_silent() const {
  return !running() && calls_.reader().at_end() && output_.at_end() && errors_.at_end();
}

void LabProgram::take_output(const std::string& stream, std::string_view text) {
  timeline_.append(base::now(), capture::Program{.host = host_,
                                                 .program = name_,
                                                 .pid = pid(),
                                                 .change = capture::ProgramChange::wrote,
                                                 .command = {},
                                                 .stream = stream,
                                                 .text = std::string(text)});
  if (output_budget_ != nullptr) output_budget_->spend(text.size());
}

void LabProgram::watch_end() {
  end_.async_wait(stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
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
  waits_for_tracer_ = calls_.may_come();
  if (!waits_for_tracer_ && running() && !has_ended_by_now()) watch_end();
}

/// Returns whether it has ended, and puts that on the timeline.
bool LabProgram::has_ended_by_now() {
  if (calls_.may_come()) {
    calls_.reader().drain();
    if (!calls_.is_end_told()) return false;
  }
  const std::optional<netns::ProgramEnd> end = process_->try_wait();
  if (!end) return false;
  const base::Instant at = base::now();
  // What it said before it ended comes before its end.
  for (PipeReader* reader : {&calls_.reader(), &output_, &errors_}) reader->drain();
  state_.is_running = false;
  end_.release();  // the descriptor belongs to the process
  state_.has_succeeded = end->has_exited && end->value == 0;
  state_.ending = end->has_exited ? "exited with status " + std::to_string(end->value)
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
  if (succeeded() && !state_.is_asked_to_end) report_daemons();
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
