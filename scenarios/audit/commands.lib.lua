-- The commands of an audit: for a shell, or words.
local commands = {}

-- A line for a shell. It waits for the program that a SIGTERM ends, and then ends, too: without the
-- trap it would be gone while the program still shuts down.
local function shell_command(line)
  local named = line:gsub("%f[%w_]SERVER%f[^%w_]", "server")
  return { "sh", "-c", "trap 'exit 143' TERM; " .. named }
end

-- The words of a command, with the server's host in place of SERVER.
function commands.with_server(words)
  if type(words) == "string" then return shell_command(words) end
  local command = {}
  for key, word in pairs(words) do
    local has_host = type(word) == "string" and key ~= "name"
    command[key] = has_host and word:gsub("SERVER", "server") or word
  end
  return command
end

return commands
