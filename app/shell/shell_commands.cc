#include "app/shell/shell_commands.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

struct HelpLine {
  const char* typed;
  const char* says;
};

constexpr std::array<HelpLine, 9> kLuaHelp{{
    {"server = kodos:dnc(\"-l\", 8080)", "start a program on a host"},
    {"client = kang:dnc(kodos, 8080)", ""},
    {"client:type \"are you there?\\n\"", "write to its standard input"},
    {"kodos:power_off()", "or power_cycle, unplug, plug, reboot, crash"},
    {"server:kill()", "or stop, freeze, thaw, close_stdin"},
    {"lab:lose(\"kang > kodos\", \"tcp\")", "drop frames; or delay, duplicate, hold, ..."},
    {"lab:expect(client):in_state \"CLOSED\"", "wait for it; or call \"read\", prints, exits, ..."},
    {"lab:wait(2)", "wait 2 s; Ctrl-C stops waiting"},
    {"client", "show a value"},
}};

constexpr std::array<HelpLine, 4> kWordHelp{{
    {"states", "list the sockets of all hosts"},
    {"attach client", "type into a program; Ctrl-] returns"},
    {"save FILE", "save this session as a scenario"},
    {"help, quit", "Ctrl-D also quits"},
}};

constexpr int kHelpColumn = 41;
constexpr int kHelpWidth = 90;  // a narrower terminal has the text below the example

void add_prose(std::string& text, const char* prose, int width) {
  for (const std::string& line : reports::wrap(prose, width - 1)) text += line + "\n";
}

/// Puts the text below the example in a narrow terminal.
void add_help(std::string& text, std::span<const HelpLine> lines, int width) {
  for (const HelpLine& line : lines) {
    const std::string says = line.says;
    if (says.empty() || width >= kHelpWidth) {
      text += says.empty() ? fmt::format("  {}\n", line.typed)
                           : fmt::format("  {:<{}}{}\n", line.typed, kHelpColumn - 2, says);
      continue;
    }
    text += fmt::format("  {}\n", line.typed);
    for (const std::string& part : reports::wrap(says, width - 7)) text += "      " + part + "\n";
  }
}

}  // namespace

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

std::string shell_help(int width) {
  std::string text;
  add_prose(text, "Type Lua. The events that it causes appear above the prompt.", width);
  add_help(text, kLuaHelp, width);
  add_prose(text, "Commands that are not Lua:", width);
  add_help(text, kWordHelp, width);
  add_prose(text,
            "Tab completes: kodos:<Tab> lists the verbs of a host. See docs/scenarios.md for all "
            "verbs.",
            width);
  return text;
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

}  // namespace tcplab::app
