-- SO_REUSEADDR must be set on the old socket and on the new one. A fixed server that now sets it
-- still cannot replace the old one until the old connections have left TIME_WAIT.
local stop_server = include "stop_server.lib.lua"

return {
  title = "SO_REUSEADDR on the new server only",
  asks = "Does SO_REUSEADDR help a server if the previous one did not set it?",
  source = "socket(7), SO_REUSEADDR; bind(2), EADDRINUSE",
  here = "No. bind fails with EADDRINUSE as long as TIME_WAIT lasts. Any Linux version.",
  why = "inet_csk_bind_conflict() checks whether every socket on the port allows reuse. The one in "
    .. "TIME_WAIT keeps the setting of its old socket (tw_reuse), which was off.",
  tags = { "connect", "bind", "time-wait", "restart" },

  run = function(lab)
    local kang, kodos = lab:pair()
    stop_server(lab, kang, kodos)

    local fixed_server = kodos:dnc("--repl")
    fixed_server:type("socket\nsetsockopt SO_REUSEADDR on\nbind 8080\n")
    lab:expect(fixed_server):call("setsockopt", "SO_REUSEADDR"):returns(0)
    lab:expect(fixed_server):call("bind"):fails "EADDRINUSE"
  end,
}
