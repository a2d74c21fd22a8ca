-- The globals of a scenario: those of Lua 5.4 that the sandbox keeps, and includes
-- (app/script/sandbox.cc).
stds.tcplab = {
  read_globals = {
    "assert", "error", "getmetatable", "include", "include_folder", "ipairs", "math", "next",
    "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset", "select", "setmetatable", "string",
    "table", "tonumber", "tostring", "type", "utf8", "warn", "_G", "_VERSION",
  },
}
std = "tcplab"
max_line_length = 100
