-- The classic of every server's first restart: the old process is gone, nothing listens, and yet
-- the port is taken. What holds it is a connection that the server closed first, in TIME_WAIT.
return {
  title = "Address in use after a restart",
  asks = "Why can a server not bind its port right after it was restarted?",
  source = "bind(2), EADDRINUSE; socket(7), SO_REUSEADDR; RFC 9293 section 3.6.1",
  here = "bind fails with EADDRINUSE as long as TIME_WAIT lasts, 60 s. Any Linux.",
  why = "Without SO_REUSEADDR a local port is free only when no socket has it in whatever state "
    .. "(inet_csk_bind_conflict()); whoever closes first keeps TIME_WAIT, and here that is the "
    .. "server.",
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
    lab:expect(server):killed_by "SIGINT"
    lab:expect(client):exits(0)
    lab:expect(kodos):in_state "TIME_WAIT"

    local again = kodos:dnc("--repl")
    again:type("socket " .. lab.family .. "\nbind 8080\n")
    lab:expect(again):call("bind"):fails "EADDRINUSE"
  end,
}
