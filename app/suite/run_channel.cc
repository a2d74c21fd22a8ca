#include "app/suite/run_channel.hh"

#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "capture/event/event_json.hh"

namespace tcplab::app {

void RunChannelWriter::event(const capture::Event& event) {
  write(capture::to_json_line(event) + '\n');
}

void RunChannelWriter::waiting(const std::string& text) { say("waiting", text); }

void RunChannelWriter::failure(const std::string& text) { say("failure", text); }

void RunChannelWriter::reason(const std::string& text) { say("reason", text); }

void RunChannelWriter::say(const std::string& what, const std::string& text) {
  write(message_line({what, text}));
}

void RunChannelWriter::write(std::string_view lines) const {
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t size = ::write(descriptor_, rest.data(), rest.size());
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) throw base::SystemError("report to tcplab", errno);
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
}

void RunChannelReader::take(std::string_view text) {
  lines_.take(text, [this](std::string_view line) { take_line(line); });
}

void RunChannelReader::take_line(std::string_view line) {
  if (!is_message(line)) return on_event(capture::parse_event(line));
  const RunMessage message = parse_message(line);
  if (message.what == "waiting") return on_waiting(message.text);
  if (message.what == "failure") return on_failure(message.text);
  if (message.what == "reason") return on_reason(message.text);
  if (on_other) on_other(message);
}

}  // namespace tcplab::app
