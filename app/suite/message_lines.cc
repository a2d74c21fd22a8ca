#include "app/suite/message_lines.hh"

#include <nlohmann/json.hpp>

namespace tcplab::app {

std::string message_line(const RunMessage& message) {
  const nlohmann::json line = {{"say", message.what}, {"text", message.text}};
  return line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + '\n';
}

bool is_message(std::string_view line) { return line.starts_with(R"({"say":)"); }

RunMessage parse_message(std::string_view line) {
  const auto message = nlohmann::json::parse(line);
  return {message.at("say"), message.at("text")};
}

}  // namespace tcplab::app
