// The pipe from a run's process to the process that started it. Each line is an event, as in
// events.jsonl, or a message: what the script waits for, the text of a failure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/suite/message_lines.hh"
#include "capture/event/event.hh"

namespace tcplab::app {

class RunChannelWriter {
public:
  /// The caller keeps the descriptor, and closes it.
  explicit RunChannelWriter(int descriptor) : descriptor_(descriptor) {}

  void event(const capture::Event& event);
  void waiting(const std::string& text);
  void failure(const std::string& text);
  void reason(const std::string& text);
  /// Sends any other message.
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

  /// Takes the next piece of the stream.
  void take(std::string_view text);

private:
  void take_line(std::string_view line);

  LineJoiner lines_;
};

}  // namespace tcplab::app
