#include "app/suite/suite.hh"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <climits>
#include <csignal>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/script/run_status.hh"
#include "app/suite/complete_timeline.hh"
#include "app/suite/concurrency.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/run_guard.hh"
#include "app/suite/run_process.hh"
#include "app/suite/signals.hh"
#include "app/suite/worker.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "lab/programs/pipe_reader.hh"
#include "reports/coverage/state_diagram.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using boost::asio::posix::stream_descriptor;
using capture::Outcome;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kTick = 50ms;

/// A run in progress.
struct Job {
  std::size_t run = 0;
  base::Instant started{};
  pid_t pid = 0;
  std::optional<stream_descriptor> end;
  RunChannelReader channel;
  std::optional<RunControl> control;
  std::unique_ptr<lab::PipeReader> reader;
  std::string waiting;
  bool is_killed = false;       // by the guard, which has given the reason
  bool is_alone = true;         // no other run has run beside it
  bool has_stalled = false;     // its lab stood still, so that it has no verdict
  std::set<std::string> peers;  // hosts whose segments the script sends
  reports::RunResult result;
};

reports::RunResult empty_result(const RunPlan& plan) {
  return {.name = plan.script.name,
          .variant = plan.variant,
          .id = plan.id,
          .title = plan.script.title,
          .file = plan.script.file,
          .directory = plan.folder.string()};
}

/// Makes all folders before the first run, so that a bad --out fails at once.
void make_folders(const std::vector<RunPlan>& plans) {
  for (const RunPlan& plan : plans) base::make_output_folder(plan.folder.string());
}

/// Returns the wall-clock time: "2026-11-22T06:30:21Z" (ISO 8601).
std::string utc_now() { return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))); }

std::string hostname() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size()) == 0 ? name.data() : "";
}

class Suite {
public:
  Suite(const std::vector<RunPlan>& plans, const SuiteOptions& options, SuiteObserver& observer)
      : plans_(plans),
        options_(options),
        observer_(observer),
        signals_(loop_, SIGINT, SIGTERM, SIGHUP),
        questions_(loop_, SIGUSR1),
        ticker_(loop_),
        concurrency_(options.jobs) {
    restart_calls_after({SIGINT, SIGTERM, SIGHUP, SIGUSR1});
  }
  ~Suite() { observer_.ends(); }  // after an exception too, because the loop is destroyed now
  Suite(const Suite&) = delete;
  Suite& operator=(const Suite&) = delete;

  SuiteResult run() {
    make_folders(plans_);
    const base::Instant began = base::now();
    const std::string started = utc_now();
    wait_for_signals();
    wait_for_questions();
    observer_.begins(loop_);
    tick();
    start_more();
    loop_.run();
    while (next_ < plans_.size()) leave_out(next_++);
    for (const auto& [run, why] : stalled_) leave_out(run, why + "; not started again: ");
    SuiteResult result;
    result.record.wall = base::now() - began;
    result.record.started = started;
    result.record.hostname = hostname();
    for (auto& [run, one] : results_) result.record.results.push_back(std::move(one));
    for (auto& [run, one] : not_run_) result.record.not_run.push_back(std::move(one));
    result.exit_status =
        interrupted_ != 0 ? 128 + interrupted_ : reports::exit_status(result.record);
    return result;
  }

private:
  void start_more() {
    while (ending_.empty() && next_ < plans_.size() && jobs_.size() < concurrency_.allowed())
      start(next_++);
    if (ending_.empty() && jobs_.empty() && !stalled_.empty()) start(stalled_.begin()->first);
    if (jobs_.empty()) {
      done_ = true;  // a tick that has already expired cannot be cancelled
      signals_.cancel();
      questions_.cancel();
      ticker_.cancel();
      observer_.ends();
    }
  }

  void start(std::size_t run) {
    const RunPlan& plan = plans_[run];
    const std::filesystem::path folder = base::make_output_folder(plan.folder.string());
    std::filesystem::remove(folder / "failure.txt");
    base::Pipe pipe = base::make_pipe();
    ControlEnds guard = make_control();
    ControlEnds control;
    if (options_.controlled) control = make_control();
    const WorkerTies ties{.folder = folder,
                          .channel = pipe.write_end.get(),
                          .guard = guard.hears.get(),
                          .control = control.hears.get(),
                          .capture = options_.capture,
                          .every_event = options_.every_event};
    std::vector<int> kept{ties.channel, ties.guard};
    if (options_.controlled) kept.push_back(ties.control);
    if (ties.capture.descriptor != -1) kept.push_back(ties.capture.descriptor);
    auto job = std::make_unique<Job>();
    job->run = run;
    job->started = base::now();
    auto space = start_run(plan.on, kept, [&] { return run_worker(plan, ties); });
    job->pid = space.pid;
    job->end.emplace(loop_, space.pidfd.release());
    job->result = empty_result(plan);
    listen(*job, std::move(pipe.read_end));
    protect(*job, std::move(guard.says));
    observer_.started(run, job->started);
    if (options_.controlled) observer_.controls(run, job->control.emplace(std::move(control.says)));
    if (const auto earlier = stalled_.extract(run)) job->result.stalled = earlier.mapped();
    jobs_.push_back(std::move(job));
    if (jobs_.size() > 1)
      for (const auto& each : jobs_) each->is_alone = false;
  }

  void listen(Job& job, base::FileDescriptor channel) {
    job.channel.on_event = [this, &job](const capture::Event& event) { take_event(job, event); };
    job.channel.on_waiting = [this, &job](const std::string& what) {
      job.waiting = what;
      observer_.waits(job.run, what);
    };
    job.channel.on_failure = [&job](const std::string& text) { job.result.failure_text = text; };
    job.channel.on_reason = [&job](const std::string& text) { job.result.reason = text; };
    job.channel.on_other = [this, &job](const RunMessage& said) {
      if (said.what == "starved") return concurrency_.starved(base::now(), jobs_.size());
      if (said.what == "stalled") return void(job.has_stalled = true);
      if (said.what == "notice") return observer_.state(reports::message(said.text));
      observer_.said(job.run, said);
    };
    job.reader = std::make_unique<lab::PipeReader>(
        loop_, std::move(channel), [&job](std::string_view text) { job.channel.take(text); });
    job.end->async_wait(stream_descriptor::wait_read,
                        [this, &job](const boost::system::error_code& error) {
                          if (!error) ended(job);
                        });
  }

  void protect(Job& job, base::FileDescriptor socket) {
    const RunPlan& plan = plans_[job.run];
    guard_.add({.process = job.pid,
                .limits = plan.limits,
                .has_virtual_clock = plan.on.is_own() && plan.on.is_virtual,
                .is_stepped = plan.is_stepped,
                .socket = std::move(socket),
                .awaited = [&job] { return job.waiting; },
                .on_kill =
                    [&job](const std::string& reason) {
                      job.is_killed = true;
                      job.result.reason = reason;
                    }});
  }

  void take_event(Job& job, const capture::Event& event) {
    if (const auto* verdict = std::get_if<capture::Verdict>(&event.body))
      job.result.verdicts.push_back(*verdict);
    if (const auto* unchecked = std::get_if<capture::Unchecked>(&event.body))
      job.result.unchecked.push_back(*unchecked);
    if (const auto* start = std::get_if<capture::RunStart>(&event.body))
      job.result.kernel = start->kernel;
    if (const auto* up = std::get_if<capture::HostUp>(&event.body); up != nullptr && up->is_peer)
      job.peers.insert(up->host);
    if (const auto* end = std::get_if<capture::RunEnd>(&event.body))
      job.result.requirement_does_not_arise = end->requirement_does_not_arise;
    const auto* change = std::get_if<capture::State>(&event.body);
    if (change != nullptr && !job.peers.contains(change->host) &&
        reports::judge(*change) == reports::StateChangeKind::finding)
      job.result.findings.push_back(reports::describe_finding(*change));
    observer_.event(job.run, event);
  }

  void ended(Job& job) {
    siginfo_t info{};
    base::check("wait for a run",
                ::waitid(P_PIDFD, static_cast<id_t>(job.end->native_handle()), &info, WEXITED));
    job.reader->drain();
    guard_.remove(job.pid);
    if (job.is_killed) complete_timeline(plans_[job.run].folder, job.result.reason);
    if (ending_.empty() || info.si_code == CLD_EXITED) {
      take_result(job, info);
    } else {
      leave_out(job.run, "stopped after " + base::describe(base::now() - job.started) + ": ");
    }
    jobs_.remove_if([&](const auto& other) { return other.get() == &job; });
    start_more();
  }

  void take_result(Job& job, const siginfo_t& info) {
    RunStatus status = RunStatus::broken;
    if (info.si_code == CLD_EXITED && info.si_status <= static_cast<int>(RunStatus::skipped)) {
      status = static_cast<RunStatus>(info.si_status);
      // A script that was stopped inside a library function (Sandbox::Running) gives no reason.
      if (status == RunStatus::bad_script && job.result.reason.empty())
        job.result.reason = "the script ran for too long; does it loop forever?";
    } else if (job.result.reason.empty()) {
      job.result.reason =
          info.si_code == CLD_EXITED
              ? "the run's process exited with status " + std::to_string(info.si_status)
              : "the run's process was killed by " + base::signal_name(info.si_status);
    }
    if (job.has_stalled && !job.is_alone && ending_.empty()) {
      stalled_[job.run] = job.result.reason;
      return;
    }
    job.result.outcome = outcome_of(status);
    job.result.duration = base::now() - job.started;
    observer_.finished(job.run, job.result);
    results_[job.run] = std::move(job.result);
    if (!reports::is_trouble(results_[job.run])) return;
    if (++failures_ == options_.most_failures)
      end("after " + std::to_string(failures_) + (failures_ == 1 ? " failure" : " failures"));
  }

  void leave_out(std::size_t run, const std::string& how = "not started: ") {
    not_run_[run] = empty_result(plans_[run]);
    not_run_[run].reason = how + ending_;
  }

  /// Starts no more runs, and kills the current ones. Each is the init process of its pid
  /// namespace, so the kernel kills everything that the run started (pid_namespaces(7)).
  void end(const std::string& why) {
    ending_ = why;
    for (const auto& job : jobs_) ::kill(job->pid, SIGKILL);
  }

  void wait_for_signals() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      interrupted_ = signal;
      end("the suite was stopped by " + base::signal_name(signal));
      start_more();
    });
  }

  void wait_for_questions() {
    questions_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      observer_.state(state());
      wait_for_questions();
    });
  }

  /// Describes the current runs, and what each waits for.
  std::string state() const {
    std::string text =
        fmt::format("tcplab: state: {} of {} done, {} running, {} not started\n", results_.size(),
                    plans_.size(), jobs_.size(), plans_.size() - next_);
    if (!stalled_.empty())
      text += reports::message(fmt::format(
          "to start a second time, alone, because the lab stood still: {}", stalled_.size()));
    if (concurrency_.allowed() < options_.jobs && next_ < plans_.size())
      text += reports::message(fmt::format(
          "at most {} at once for now, because the machine is busy", concurrency_.allowed()));
    for (const auto& job : jobs_) {
      text += reports::message(
          fmt::format("{} ({}), pid {}, for {}, waits for: {}", job->result.name,
                      job->result.variant, job->pid, base::describe(base::now() - job->started),
                      job->waiting.empty() ? "the start of its script" : job->waiting));
    }
    return text;
  }

  void tick() {
    observer_.tick(base::now());
    guard_.tick();
    ticker_.expires_after(kTick);
    ticker_.async_wait([this, due = base::now() + kTick](const boost::system::error_code& error) {
      if (error || done_) return;
      const base::Instant now = base::now();
      concurrency_.ticked(now, now - due, jobs_.size());
      start_more();
      if (!done_) tick();
    });
  }

  const std::vector<RunPlan>& plans_;
  const SuiteOptions& options_;
  SuiteObserver& observer_;
  boost::asio::io_context loop_{1};
  boost::asio::signal_set signals_;
  boost::asio::signal_set questions_;
  boost::asio::steady_timer ticker_;
  Concurrency concurrency_;
  RunGuard guard_;
  std::list<std::unique_ptr<Job>> jobs_;
  std::map<std::size_t, reports::RunResult> results_;
  std::map<std::size_t, reports::RunResult> not_run_;
  std::map<std::size_t, std::string> stalled_;  // runs to run a second time, and why
  std::size_t next_ = 0;
  std::size_t failures_ = 0;
  std::string ending_;  // why no more runs start; empty while they do
  int interrupted_ = 0;
  bool done_ = false;
};

}  // namespace

SuiteResult run_suite(const std::vector<RunPlan>& plans, const SuiteOptions& options,
                      SuiteObserver& observer) {
  return Suite(plans, options, observer).run();
}

}  // namespace tcplab::app
