-- SO_REUSEADDR is an agreement between the old socket and the new one. A server that is mended to
-- set it still cannot replace the one that did not: not before the old connections are gone.
return {
  title = "SO_REUSEADDR comes too late",
  asks = "Does SO_REUSEADDR help a server whose predecessor did not set it?",
  source = "socket(7), SO_REUSEADDR; bind(2), EADDRINUSE",
  here = "No: bind fails with EADDRINUSE as long as TIME_WAIT lasts. Any Linux.",
  why = "inet_csk_bind_conflict() asks of every socket on the port whether it allows reuse, and "
    .. "the one in TIME_WAIT has kept its own socket's answer (tw_reuse), which was no.",
  tags = { "connect", "bind", "time-wait", "restart" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--no-reuse-address", "-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    server:stop "SIGINT"
    lab:expect(server):in_state "FIN_WAIT2"
    lab:expect(client):call("read"):returns(0)
    client:close_stdin()
    lab:expect(client):exits(0)
    lab:expect(server):in_state "TIME_WAIT"

    local mended = kodos:dnc("--repl")
    mended:type("socket " .. lab.family .. "\nsetsockopt SO_REUSEADDR on\nbind 8080\n")
    lab:expect(mended):call("setsockopt"):returns(0)
    lab:expect(mended):call("bind"):fails "EADDRINUSE"
  end,
}
