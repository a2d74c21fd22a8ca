#include "app/audit/pair_script.hh"

#include <fmt/format.h>
#include <sstream>

namespace tcplab::app {

namespace {

/// The text as a Lua string. Lua's escapes for bytes are decimal: \ddd.
std::string lua_string(std::string_view text) {
  std::string out = "\"";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      out += '\\';
      out += each;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\{:03}", byte);
    } else {
      out += each;
    }
  }
  return out + '"';
}

std::string list_of(const std::vector<std::string>& words, std::string_view after_each = "") {
  std::string out = "{";
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? " " : ", ") + lua_string(words[i] + std::string(after_each));
  return out + " }";
}

/// The name of a program without its folder.
std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

/// The program that a shell command ends with: what comes before prepares it.
std::string last_program(const std::string& command) {
  constexpr std::string_view kEnds = ";&|(){}\n";
  std::istringstream words(
      command.substr(command.find_last_of(kEnds, command.find_last_not_of(" ;&)}\n")) + 1));
  std::string word;
  while (words >> word)
    if (word != "exec" && word.find('=') == std::string::npos) break;
  return base_name(word);
}

std::string title_of(const PairCommand& pair) {
  return base_name(pair.client.front()) + " and " + last_program(pair.server);
}

}  // namespace

std::string script_of(const PairCommand& pair) {
  std::string script =
      "-- Made by tcplab audit. Run it again with: tcplab audit FILE. docs/audit.md has all "
      "fields.\n"
      "local audit = include \"tcplab/audit/audit.lib.lua\"\n\n"
      "return audit {\n";
  script += "  title = " + lua_string(title_of(pair)) + ",\n";
  script += "  server = " + lua_string(pair.server) + ",\n";
  script += fmt::format("  port = {},\n", pair.port);
  script += "  client = " + list_of(pair.client) + ",\n";
  if (!pair.requests.empty()) script += "  requests = " + list_of(pair.requests, "\n") + ",\n";
  if (!pair.after.empty()) script += "  after = " + lua_string(pair.after) + ",\n";
  return script + "}\n";
}

std::string example_script() {
  return R"(-- Run it with: tcplab audit audit.lua. docs/audit.md has all fields.
local audit = include "tcplab/audit/audit.lib.lua"

return audit {
  title = "Our client and our server",
  -- The server's command, as for host:run, or as one text for a shell; and the port that it
  -- listens on.
  server = { "python3", "-m", "http.server", "8000" },
  port = 8000,
  -- The client's command. SERVER stands for the server's host.
  client = { "curl", "-sS", "http://SERVER:8000/" },

  -- What follows is optional.
  -- The server is ready when it has also written this:
  -- ready = { prints = "Serving HTTP", within = 20 },
  -- Lines that are typed into the client, with a pause after each:
  -- requests = { "PING\n", "PING again\n" },
  -- How long the client may take after the failure, in seconds; --limit replaces it:
  limit = 300,
  -- Returns whether the client's output is right. By default it is what it was without a failure:
  -- judge = function(output, status) return status == 0 and output:find("Directory listing") end,
  -- For a client that waits without end, such as a subscriber: a command on the server's host after
  -- the failure, to which the client must react:
  -- after = { "redis-cli", "rpush", "queue", "job" },
  -- What to prepare before the server starts: files, more programs:
  -- prepare = function(cell) cell.server_host:file("/tmp/index.html", "hello\n") end,
}
)";
}

}  // namespace tcplab::app
