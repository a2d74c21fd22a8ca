#include "scenarios/engine/run_channel.hh"

#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/error.hh"
#include "capture/event_json.hh"

namespace tcplab::engine {

void RunChannelWriter::event(const capture::Event& event) { line(capture::to_json_line(event)); }

void RunChannelWriter::waiting(const std::string& text) { say("waiting", text); }

void RunChannelWriter::failure(const std::string& text) { say("failure", text); }

void RunChannelWriter::reason(const std::string& text) { say("reason", text); }

void RunChannelWriter::say(const std::string& what, const std::string& text) {
  const nlohmann::json message = {{"say", what}, {"text", text}};
  line(message.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void RunChannelWriter::line(std::string text) {
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t size = ::write(descriptor_, rest.data(), rest.size());
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) throw base::SystemError("report to tcplab", errno);
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
}

void RunChannelReader::take(std::string_view text) {
  partial_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
    take_line(std::string_view(partial_).substr(begin, end - begin));
  partial_.erase(0, begin);
}

void RunChannelReader::take_line(std::string_view line) {
  if (!line.starts_with(R"({"say":)")) return on_event(capture::parse_event(line));
  const auto message = nlohmann::json::parse(line);
  const std::string what = message.at("say");
  const std::string text = message.at("text");
  if (what == "waiting") return on_waiting(text);
  if (what == "failure") return on_failure(text);
  on_reason(text);
}

}  // namespace tcplab::engine
