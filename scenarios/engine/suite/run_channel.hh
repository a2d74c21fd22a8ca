// What a run's process tells the process that started it, through a pipe, a line each: events as
// in events.jsonl, what the script waits for, and the account of a failure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "capture/event/event.hh"
#include "scenarios/engine/suite/message_lines.hh"

namespace tcplab::engine {

class RunChannelWriter {
public:
  /// The descriptor stays the caller's.
  explicit RunChannelWriter(int descriptor) : descriptor_(descriptor) {}

  void event(const capture::Event& event);
  void waiting(const std::string& text);
  void failure(const std::string& text);
  void reason(const std::string& text);
  /// Anything else that somebody listens for.
  void say(const std::string& what, const std::string& text);

private:
  void write(std::string_view lines) const;

  int descriptor_;
};

class RunChannelReader {
public:
  std::function<void(const capture::Event&)> on_event;
  std::function<void(const std::string&)> on_waiting;
  std::function<void(const std::string&)> on_failure;
  std::function<void(const std::string&)> on_reason;
  std::function<void(const RunMessage&)> on_other;  // may be empty

  /// Any piece of what has come through the pipe.
  void take(std::string_view text);

private:
  void take_line(std::string_view line);

  LineJoiner lines_;
};

}  // namespace tcplab::engine
