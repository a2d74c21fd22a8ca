#include "scenarios/engine/shell/shell_commands.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "reports/text/text.hh"

namespace tcplab::engine {

namespace {

struct HelpLine {
  const char* typed;
  const char* says;
};

constexpr std::array<HelpLine, 9> kLuaHelp{{
    {"server = kodos:dnc(\"-l\", 8080)", "a program on a host"},
    {"client = kang:dnc(kodos, 8080)", ""},
    {"client:type \"are you there?\\n\"", "into its standard input"},
    {"kodos:power_off()", "or power_cycle, unplug, plug, reboot, crash"},
    {"server:kill()", "or stop, freeze, thaw, close_stdin"},
    {"lab:lose(\"kang > kodos\", \"tcp\")", "the next frames; delay, duplicate, hold, ..."},
    {"lab:expect(client):in_state \"CLOSED\"", "waits for it; call \"read\", prints, exits, ..."},
    {"lab:wait(2)", "Ctrl-C stops waiting"},
    {"client", "a value is shown"},
}};

constexpr std::array<HelpLine, 4> kWordHelp{{
    {"states", "what the kernels say of their sockets"},
    {"attach client", "that program's own terminal; Ctrl-] leaves it"},
    {"save FILE", "what you did as a scenario: tcplab run FILE"},
    {"help, quit", "Ctrl-D quits, too"},
}};

constexpr int kHelpColumn = 41;
constexpr int kHelpWidth = 90;  // so many columns have room for both beside each other

void add_prose(std::string& text, const char* prose, int width) {
  for (const std::string& line : reports::wrap(prose, width - 1)) text += line + "\n";
}

/// Where both have no room in a line, what it says stands below what is typed.
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
  add_prose(text, "Type Lua; what it does is drawn above.", width);
  add_help(text, kLuaHelp, width);
  add_prose(text, "Besides Lua:", width);
  add_help(text, kWordHelp, width);
  add_prose(text,
            "Tab completes: kodos:<Tab> shows what a host can do. docs/scenarios.md has all of it.",
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

}  // namespace tcplab::engine
