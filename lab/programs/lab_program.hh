// A program that runs on a host: its standard streams, its calls, its end. Everything becomes an
// event. The object outlives the program, because scripts may still expect something of it.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/programs/pipe_reader.hh"
#include "lab/programs/program_calls.hh"
#include "lab/programs/program_input.hh"
#include "lab/programs/program_request.hh"
#include "lab/programs/program_signals.hh"
#include "lab/programs/program_sockets.hh"

namespace tcplab::lab {

class LabProgram {
public:
  LabProgram(const ProgramSurroundings& around, netns::Machine& machine, std::string host,
             const ProgramRequest& request);
  ~LabProgram();
  LabProgram(const LabProgram&) = delete;
  LabProgram& operator=(const LabProgram&) = delete;

  const std::string& host() const { return host_; }
  const std::string& name() const { return name_; }
  /// "kang's dnc"
  std::string title() const { return host_ + "'s " + name_; }
  pid_t pid() const { return process_->pid(); }
  bool running() const { return state_.is_running; }
  /// True if it waits in the kernel.
  bool sleeps() const { return running() && process_->sleeps(); }
  /// Returns its processes that live, also after the main one has ended.
  std::vector<pid_t> processes() const { return process_->processes(); }

  ProgramInput& input() { return input_; }
  ProgramSignals& signals() { return signals_; }
  const ProgramSignals& signals() const { return signals_; }
  ProgramCalls& calls() { return calls_; }
  const ProgramCalls& calls() const { return calls_; }
  ProgramSockets& sockets() { return sockets_; }
  const ProgramSockets& sockets() const { return sockets_; }

  /// Returns "exited with status 1" or "was killed by SIGPIPE"; empty while it runs.
  const std::string& ending() const { return state_.ending; }
  /// Returns true once it has exited with 0.
  bool succeeded() const { return state_.has_succeeded; }
  /// True if it has ended, and no process writes to its standard output, standard error or record
  /// of calls any more. A process that it has started may still do so.
  bool is_silent() const;
  /// Called when it becomes silent, unless its end is what makes it so.
  std::function<void()> on_silent;
  /// If it dies of a signal, waits for that (ProgramSignals::await_death). What it had open is
  /// closed then: another program can bind its port.
  void await_death(const std::function<void()>& meanwhile);

private:
  struct Started;  // its process, and our ends of its pipes
  struct Delays;   // by --perturb

  LabProgram(const ProgramSurroundings& around, std::string host, const ProgramRequest& request,
             Started started);
  void take_output(const std::string& stream, std::string_view text);
  void watch_end();
  void ended();
  bool has_ended_by_now();
  void stream_ended();
  void tracer_has_waited();
  void report_daemons();

  Timeline& timeline_;
  Budget* output_budget_;
  std::string host_;
  std::string name_;
  ProgramState state_;
  std::unique_ptr<netns::RunningProgram> process_;
  boost::asio::posix::stream_descriptor end_;  // a pidfd that process_ owns; readable at the end
  bool waits_for_tracer_ = false;  // it has ended, and its tracer has not waited for it yet
  ProgramInput input_;
  ProgramCalls calls_;
  PipeReader output_;
  PipeReader errors_;
  std::unique_ptr<Delays> delays_;  // null: none
  ProgramSignals signals_;
  ProgramSockets sockets_;
};

}  // namespace tcplab::lab
