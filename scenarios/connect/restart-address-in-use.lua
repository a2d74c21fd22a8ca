-- A server restarts and cannot bind its port, although the old process is gone and nothing listens.
-- A connection that the server closed first is still in TIME_WAIT and holds the port.
local stop_server = include "stop_server.lib.lua"

return {
  title = "Address in use after a restart",
  asks = "Why can a server not bind its port right after a restart?",
  source = "bind(2), EADDRINUSE; socket(7), SO_REUSEADDR; RFC 9293 section 3.6.1",
  here = "Because a connection in TIME_WAIT holds the port. bind fails with EADDRINUSE as long as "
    .. "TIME_WAIT lasts, 60 s. Any Linux version.",
  why = "Without SO_REUSEADDR a local port is free only if no socket uses it, in any state "
    .. "(inet_csk_bind_conflict()). The end that closes first goes to TIME_WAIT; here that is the "
    .. "server.",
  tags = { "connect", "bind", "time-wait", "restart" },

  run = function(lab)
    local kang, kodos = lab:pair()
    stop_server(lab, kang, kodos)

    local restarted = kodos:dnc("--repl")
    restarted:type("socket\nbind 8080\n")
    lab:expect(restarted):call("bind"):fails "EADDRINUSE"
  end,
}
