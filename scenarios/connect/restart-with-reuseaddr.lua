-- SO_REUSEADDR lets a server restart while its old connections are in TIME_WAIT. Both the old
-- socket and the new one must have it, so every server should set it.
return {
  title = "Restart with SO_REUSEADDR",
  asks = "Can a server with SO_REUSEADDR restart while its connections are in TIME_WAIT?",
  source = "socket(7), SO_REUSEADDR; RFC 9293 section 3.6.1",
  here = "Yes. bind and listen return 0, and the server accepts new clients. The old connection "
    .. "stays in TIME_WAIT. Any Linux version.",
  why = "inet_csk_bind_conflict() lets sockets share a port if all of them have SO_REUSEADDR and "
    .. "none listens. A socket in TIME_WAIT keeps the setting (tw_reuse).",
  tags = { "connect", "bind", "time-wait", "restart" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "--nc" } })
    server:stop "SIGINT"
    lab:expect(client):exits(0)
    lab:expect(server):in_state "TIME_WAIT"

    local restarted = kodos:dnc("-l", 8080)
    local newcomer = kang:dnc(kodos, 8080)
    lab:expect(newcomer):in_state "ESTABLISHED"
    lab:expect(restarted):in_state "ESTABLISHED"
    lab:expect(server):still_in_state "TIME_WAIT"
  end,
}
