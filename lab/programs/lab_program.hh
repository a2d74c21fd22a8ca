// A program that runs on a host: its standard streams, its calls, its end. Everything becomes an
// event. The object outlives the program, because scripts may still expect something of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/calls/injections.hh"
#include "lab/home/program_options.hh"
#include "lab/programs/connection_table.hh"
#include "lab/programs/delayed_acts.hh"
#include "lab/programs/pipe_reader.hh"
#include "lab/record/timeline.hh"
#include "lab/watch/call_stacks.hh"
#include "lab/watch/descriptor_history.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class CallWatcher;

/// A rule that has changed no call.
struct IdleInjection {
  GivenInjection given;
  std::uint64_t matches = 0;  // calls that it has counted
};

struct ProgramRequest {
  std::string name;                   // on the timeline: "dnc", "dnc-2"
  std::string shown;                  // the command as the script has it
  netns::SpawnRequest spawn;          // without descriptors
  bool reports_calls = false;         // dnc: gets --events FD
  CallWatcher* watcher = nullptr;     // records its calls; null: nobody does, or it does itself
  std::vector<std::string> stacks{};  // which failing calls have their stack (FailingCalls)
  std::vector<GivenInjection> injections{};  // in force from its first call on
  Budget* output = nullptr;                  // of the bytes that it writes; null: no limit
};

/// What a program needs of its laboratory.
struct ProgramSurroundings {
  boost::asio::io_context& loop;
  Timeline& timeline;
  Clock& clock;
  Perturbation& perturbation;
};

class LabProgram {
public:
  LabProgram(const ProgramSurroundings& around, netns::Machine& machine, std::string host,
             const ProgramRequest& request);
  ~LabProgram();
  LabProgram(const LabProgram&) = delete;
  LabProgram& operator=(const LabProgram&) = delete;

  const std::string& host() const { return host_; }
  const std::string& name() const { return name_; }
  pid_t pid() const { return process_->pid(); }
  bool running() const { return running_; }
  /// True if the tracer records its calls; dnc records its own.
  bool is_traced() const { return watcher_ != nullptr; }
  bool has_recorded_calls() const { return is_traced() || reports_calls_; }
  /// Puts all calls that it has made until now on the timeline. Otherwise its tracer reports them
  /// up to 1 ms late, so the program's output may come first.
  void catch_up();
  /// Returns "exited with status 1" or "was killed by SIGPIPE"; empty while it runs.
  const std::string& ending() const { return ending_; }
  /// Returns true once it has exited with 0.
  bool succeeded() const { return has_succeeded_; }
  /// True if it has ended, and no process writes to its standard output, standard error or record
  /// of calls any more. A process that it has started may still do so.
  bool is_silent() const;
  /// Called when it becomes silent, unless its end is what makes it so.
  std::function<void()> on_silent;
  /// True if it waits in the kernel.
  bool sleeps() const { return running_ && process_->sleeps(); }
  /// "kang's dnc"
  std::string title() const { return host_ + "'s " + name_; }

  /// Queues text for its standard input. Does nothing if the program has ended.
  void type(const std::string& text);
  void close_stdin();
  /// Sends a signal to its main process, kill(2); false if that has ended.
  bool signal(int signal);
  /// Sends a signal to all its processes: workers and daemons, too. Returns how many get it.
  std::size_t signal_all(int signal);
  /// If a signal has been sent to it that ends it at once (SIGKILL; for dnc, also SIGTERM and
  /// SIGINT), waits until it and its processes have ended, but at most some seconds. Calls
  /// `meanwhile` again and again. What it had open is closed then: another program can bind its
  /// port.
  void await_death(const std::function<void()>& meanwhile);
  /// Returns its processes that live, also after the main one has ended.
  std::vector<pid_t> processes() const { return process_->processes(); }
  /// True if its main process ignores that signal (signal(7)).
  bool ignores(int signal) const { return running_ && process_->ignores(signal); }
  /// Notes that it was asked to end, so that processes that remain do not count as daemons.
  void expect_end() { is_asked_to_end_ = true; }

  /// Changes calls of a traced program, and of all that it has started, from their next entry on.
  /// The rule is in force when this returns. Returns 0 if the program has ended.
  capture::InjectionId inject(const GivenInjection& given);
  void remove_injection(capture::InjectionId id);
  /// Returns the first rule that has changed no call; empty if there is none.
  std::optional<IdleInjection> idle_injection() const;

  /// True for a connection that this program made, accepted or holds.
  bool owns(const ConnectionKey& key) const { return connections_.contains(key); }
  const std::set<ConnectionKey>& connections() const { return connections_; }
  void add_connection(const ConnectionKey& key);
  /// Called with each connection that becomes its own: recorded events are now about the program.
  std::function<void(const ConnectionKey&)> on_connection;
  /// Which connections its descriptors were.
  const DescriptorHistory& descriptors() const { return descriptors_; }
  /// Returns whether one of its descriptors is the socket with that inode (proc_pid_fd(5)).
  netns::Holding look_for(std::uint32_t inode) const;
  /// Reads all its descriptors.
  void read_sockets();
  /// True if it had that socket when all its descriptors were last read.
  bool had(std::uint32_t inode) const { return process_->had(inode); }

private:
  struct Streams;  // hides Boost.Asio, which is slow to compile

  void take_output(const std::string& stream, std::string_view text);
  void take_calls(std::string_view text);
  void take_call(std::string_view line);
  void perturb(const ProgramSurroundings& around);
  void hold_start(base::nanoseconds delay);
  void watch_end();
  void ended();
  bool has_ended_by_now();
  void note_signal(int signal, bool to_all);
  bool delays(int signal);
  void stream_ended();
  void tracer_has_waited();
  void report_daemons();
  void write_more();

  Timeline& timeline_;
  Budget* output_;
  std::string host_;
  std::string name_;
  CallWatcher* watcher_;  // null: its calls are not traced
  bool reports_calls_;
  bool has_terminal_;
  std::unique_ptr<netns::RunningProgram> process_;
  std::unique_ptr<Streams> streams_;
  std::string to_type_;
  bool close_when_typed_ = false;
  bool running_ = true;
  bool is_asked_to_end_ = false;
  bool is_dying_ = false;   // a signal ends it at once
  bool all_die_ = false;    // the signal went to all its processes
  bool is_frozen_ = false;  // by SIGSTOP
  std::map<capture::InjectionId, GivenInjection> injections_;
  bool is_end_told_ = false;       // by its tracer: no calls come any more
  bool waits_for_tracer_ = false;  // it has ended, and its tracer has not waited for it yet
  std::string ending_;
  bool has_succeeded_ = false;
  std::string partial_line_;
  std::vector<std::unique_ptr<PipeReader>> readers_;
  /// The delays of --perturb: of its start, of signals to it, and of each thing that it reports.
  struct Delays;
  std::unique_ptr<Delays> delays_;  // null: none
  std::set<ConnectionKey> connections_;
  DescriptorHistory descriptors_;
  CallStacks stacks_;
};

}  // namespace tcplab::lab
