---@meta
-- Programs, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---@class program
local program = {}

---Writes text to its standard input.
---@param text string
---@return program
function program:type(text) end

---Ends its standard input, as Ctrl-D does.
---@return program
function program:close_stdin() end

---Asks it to end with a signal.
---@param signal? signal_name SIGTERM by default
---@return program
function program:stop(signal) end

---Sends a signal that is not meant to end it.
---@param signal signal_name
---@return program
function program:signal(signal) end

---Sends SIGKILL; its kernel lives on.
---@return program
function program:kill() end

---Sends SIGSTOP: the program does not run, but its kernel does.
---@return program
function program:freeze() end

---Sends SIGCONT.
---@return program
function program:thaw() end
