---@meta
-- Faults, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---@class fault
local fault = {}

---Ends the fault; frames that it holds or delays are delivered.
function fault:remove() end

---Releases the frames that it holds now, and goes on holding later ones.
---@return fault
function fault:release() end
