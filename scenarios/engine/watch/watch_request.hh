// What a run asks of a host's watcher, as the text of a message on their channel. The watcher
// answers each with an errno, 0 if it has done it.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>

#include "capture/calls/injections.hh"

namespace tcplab::engine {

/// Trace a program from its exec on; the message has the pipe for its calls.
struct TraceProgram {
  pid_t process = 0;
};

/// Change calls of a program that is traced: ESRCH if it has ended.
struct AddInjection {
  pid_t process = 0;
  capture::InjectionId id = 0;
  capture::InjectionRule rule;
};

struct RemoveInjection {
  capture::InjectionId id = 0;
};

using WatchRequest = std::variant<TraceProgram, AddInjection, RemoveInjection>;

std::string to_text(const WatchRequest& request);

/// Reads what to_text() wrote. Throws base::UsageError for any other text.
WatchRequest parse_watch_request(const std::string& text);

}  // namespace tcplab::engine
