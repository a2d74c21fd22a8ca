// The recorded calls of a program: puts them on the timeline, as its tracer or the program itself
// (dnc) tells them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lab/programs/connection_table.hh"
#include "lab/programs/pipe_reader.hh"
#include "lab/programs/program_injections.hh"
#include "lab/programs/program_request.hh"
#include "lab/watch/call_stacks.hh"
#include "lab/watch/descriptor_history.hh"
#include "look/failure_record.hh"

namespace tcplab::lab {

class ProgramCalls {
public:
  /// `pipe`: where the calls come from.
  ProgramCalls(const ProgramSurroundings& around, std::string host, const ProgramRequest& request,
               const netns::RunningProgram& process, base::FileDescriptor pipe);
  ProgramCalls(const ProgramCalls&) = delete;
  ProgramCalls& operator=(const ProgramCalls&) = delete;

  /// True if the tracer records the calls; dnc records its own.
  bool is_traced() const { return watcher_ != nullptr; }
  bool are_recorded() const { return is_traced() || reports_itself_; }
  /// Puts all calls that the program has made until now on the timeline. Otherwise its tracer
  /// reports them up to 1 ms late, so the program's output may come first.
  void catch_up();
  /// True once the tracer has told that the program has ended: no calls come any more.
  bool is_end_told() const { return is_end_told_; }
  /// True if the tracer has not told all calls yet.
  bool may_come() const { return is_traced() && !is_end_told_ && !reader_.at_end(); }

  /// Which connections the program's descriptors were.
  const DescriptorHistory& descriptors() const { return descriptors_; }
  /// What changes the calls.
  ProgramInjections& injections() { return injections_; }
  const ProgramInjections& injections() const { return injections_; }

  PipeReader& reader() { return reader_; }
  const PipeReader& reader() const { return reader_; }
  /// Called with the connection of each call that has one.
  std::function<void(const ConnectionKey&)> on_connection;
  /// Called with the record of a call at which a process of the program is aborted, before its end.
  std::function<void(look::FailureRecord)> on_failure;
  /// Called when the tracer tells that a process or thread of the program has ended.
  std::function<void()> on_thread_end;

private:
  void take(std::string_view text);
  void take_line(std::string_view line);
  void take_call(capture::Call& call, base::Instant at);

  Timeline& timeline_;
  std::string host_;
  std::string name_;
  const netns::RunningProgram& process_;
  CallWatcher* watcher_;  // null: the calls are not traced
  bool reports_itself_;
  std::string partial_line_;
  bool is_end_told_ = false;
  DescriptorHistory descriptors_;
  CallStacks stacks_;
  ProgramInjections injections_;
  PipeReader reader_;
};

}  // namespace tcplab::lab
