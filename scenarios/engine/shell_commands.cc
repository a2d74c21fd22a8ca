#include "scenarios/engine/shell_commands.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::engine {

const std::vector<std::string>& shell_words() {
  static const std::vector<std::string> kWords = {"attach", "exit", "help",
                                                  "quit",   "save", "states"};
  return kWords;
}

std::optional<ShellCommand> shell_command(const std::string& line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return std::nullopt;
  const std::string trimmed = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  const auto end = std::min(trimmed.find_first_of(" \t"), trimmed.size());
  const std::string word = trimmed.substr(0, end);
  if (std::ranges::find(shell_words(), word) == shell_words().end()) return std::nullopt;
  const auto rest = trimmed.find_first_not_of(" \t", end);
  const std::string argument = rest == std::string::npos ? "" : trimmed.substr(rest);
  if (!argument.empty() && std::string("=(,.:[{\"'").find(argument[0]) != std::string::npos &&
      word != "save")
    return std::nullopt;
  if (argument.starts_with("=") || argument.starts_with("(")) return std::nullopt;
  return ShellCommand{word, argument};
}

std::string shell_help() {
  return R"(Type Lua; what it does is drawn above. The hosts are there: kang and kodos.
  server = kodos:dnc("-l", 8080)           a program on a host
  client = kang:dnc(kodos, 8080)
  client:type "are you there?\n"           into its standard input
  kodos:power_off()                        or power_cycle, unplug, plug, reboot, crash
  server:kill()                            or stop, freeze, thaw, close_stdin
  lab:lose("kang > kodos", "tcp")          the next frames; delay, duplicate, hold, ...
  lab:expect(client):call("read"):returns(0)
  lab:wait(2)                              Ctrl-C stops waiting
  client                                   a value is shown
Besides Lua:
  states         what the kernels say of their sockets
  attach client  that program's own terminal; Ctrl-] leaves it
  save FILE      what you did as a scenario: tcplab run FILE
  help, quit     Ctrl-D quits, too
Tab completes: kodos:<Tab> shows what a host can do. docs/scenarios.md has all of it.
)";
}

std::string lua_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      quoted += fmt::format("\\{:03d}", static_cast<int>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace tcplab::engine
