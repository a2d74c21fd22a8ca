// The requests of a run to the tracer of a host, and their texts in messages. The answer to a
// request is an errno; 0 for success.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>
#include <vector>

#include "capture/calls/imposed_option.hh"
#include "capture/calls/injections.hh"

namespace tcplab::capture {

/// Trace a program from its exec on.
struct TraceProgram {
  pid_t process = 0;
  std::vector<std::string> stacks{};    // FailingCalls whose events get the stack
  std::vector<std::string> abort_on{};  // FailingCalls at which a process is aborted
  std::vector<std::string> probes{};    // PROVIDER:NAME of USDT probes that become events
  std::string core{};  // where the core file of an aborted process goes, without its ".PID"
};

/// Change calls of a program that is traced: ESRCH if it has ended.
struct AddInjection {
  pid_t process = 0;
  InjectionId id = 0;
  InjectionRule rule;
};

struct RemoveInjection {
  InjectionId id = 0;
};

/// Ask whether a rule has changed a call. The answer is 0 if it has, or if it was removed;
/// otherwise the number of calls that it has matched, plus 1.
struct AskInjection {
  InjectionId id = 0;
};

/// Set these options on each new TCP socket of the programs. An empty list ends that.
struct ImposeOptions {
  std::vector<ImposedOption> options{};
};

/// Report all calls that the program has made until now. The answer is EAGAIN if the pipe of its
/// calls is full: read it, and send the request again.
struct TellCalls {
  pid_t process = 0;
};

using WatchRequest = std::variant<TraceProgram, AddInjection, RemoveInjection, AskInjection,
                                  ImposeOptions, TellCalls>;

std::string to_text(const WatchRequest& request);

/// Reads what to_text() wrote. Throws base::UsageError for any other text.
WatchRequest parse_watch_request(const std::string& text);

}  // namespace tcplab::capture
