// What a run asks of the tracer of a host, as the text of a message to another process. Each is
// answered with a number: an errno, 0 if it was done.
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
  std::vector<std::string> stacks{};  // FailingCalls whose events get the stack
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

/// Has the rule changed a call? The answer is 0 if it has, or was removed; else 1 more than the
/// calls that it has matched.
struct AskInjection {
  InjectionId id = 0;
};

/// Set these options on each new TCP socket of the programs; none: no more.
struct ImposeOptions {
  std::vector<ImposedOption> options{};
};

/// Tell all that the program has done until now. The answer is EAGAIN if its pipe is full: read it,
/// and ask again.
struct TellCalls {
  pid_t process = 0;
};

using WatchRequest = std::variant<TraceProgram, AddInjection, RemoveInjection, AskInjection,
                                  ImposeOptions, TellCalls>;

std::string to_text(const WatchRequest& request);

/// Reads what to_text() wrote. Throws base::UsageError for any other text.
WatchRequest parse_watch_request(const std::string& text);

}  // namespace tcplab::capture
