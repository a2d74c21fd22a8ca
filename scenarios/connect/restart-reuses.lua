-- The remedy that every server uses: SO_REUSEADDR, on the old socket and on the new one.
return {
  title = "SO_REUSEADDR after a restart",
  asks = "Does SO_REUSEADDR let a server restart while its old connections are in TIME_WAIT?",
  source = "socket(7), SO_REUSEADDR; RFC 9293 section 3.6.1",
  here = "Yes: bind and listen return 0, new clients are served, and the old connection stays in "
    .. "TIME_WAIT beside them. Any Linux.",
  why = "inet_csk_bind_conflict() lets sockets share a port when all of them have SO_REUSEADDR and "
    .. "none listens; TIME_WAIT remembers that its socket had it (tw_reuse).",
  tags = { "connect", "bind", "time-wait", "restart" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--nc", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    server:stop "SIGINT"
    lab:expect(client):exits(0)
    lab:expect(server):in_state "TIME_WAIT"

    local again = kodos:dnc("-l", 8080)
    local newcomer = kang:dnc(kodos, 8080)
    lab:expect(newcomer):in_state "ESTABLISHED"
    lab:expect(again):in_state "ESTABLISHED"
    lab:expect(server):still_in_state "TIME_WAIT"
  end,
}
