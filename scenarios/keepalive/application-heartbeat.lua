-- A heartbeat in the protocol itself asks the other program, not its kernel, and the program that
-- asks decides how long it waits. It finds what keepalive cannot: a program that hangs.
return {
  title = "An application's heartbeat",
  asks = "How does a program find out, in its own time, that the other one is dead or hangs?",
  source = "RFC 1122 section 4.2.3.6 (discussion); poll(2)",
  here = "The frozen program's kernel acknowledges the ping; no pong comes, poll returns 0 after "
    .. "the time that the program allowed, and it resets the connection. Linux, measured on 6.18.",
  why = "An acknowledgment says that a kernel has the bytes. That a program lives is only said by "
    .. "an answer of the program. When to give up is then the program's to decide, not "
    .. "tcp_retries2's or tcp_keepalive_time's.",
  tags = { "keepalive", "power" },

  run = function(lab)
    local allowed = 0.5 -- seconds that the program gives the other one to answer
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type("write ping\npoll in " .. allowed .. "s\nread\n")
    lab:expect(client):call("write"):returns(4)
    server:type "read\nwrite pong\n"
    lab:expect(client):call("poll"):reports "IN"
    lab:expect(client):call("read"):returns(4)

    server:freeze()
    client:type("write ping\npoll in " .. allowed .. "s\n")
    lab:expect(client):call("write"):returns(4)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    local silence = lab:expect(client):call("poll"):returns(0)
    lab:expect_time(silence.t - silence.entered, allowed, "the program's patience")
    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
  end,
}
