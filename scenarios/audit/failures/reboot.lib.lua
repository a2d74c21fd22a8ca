-- An orderly restart: SIGTERM ends the programs, and their kernel sends FINs. A program that is
-- still there after 5 s gets SIGKILL, as from an init.
local SHUTDOWN_WITHIN = 5 -- seconds

return {
  name = "reboot",
  title = "reboot",
  sides = { "server", "client" },
  stops_program = true,
  waits = true,
  begin = function(cell)
    cell.program:stop()
    cell:continue_server()
    if not cell.lab:first { ended = cell.program:ends(), within = SHUTDOWN_WITHIN } then
      cell.program:kill()
    end
    cell.victim:reboot()
  end,
}
