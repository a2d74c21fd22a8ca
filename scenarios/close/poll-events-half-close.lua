-- A connection ends in good order, one direction after the other. poll(2) reports IN at end of
-- stream, where there is no data. It reports HUP only when both directions have ended.
return {
  title = "poll events of a half-close",
  asks = "Which events does poll(2) report after the peer's FIN, and after the program's own?",
  source = "poll(2); tcp_poll() in net/ipv4/tcp.c",
  here = "Established: OUT (0x4). After the peer's FIN: IN|OUT|RDHUP (0x2005). After the program's "
    .. "own shutdown: IN|OUT|HUP|RDHUP (0x2015), without an error. Measured on Linux 6.18.",
  why = "In tcp_poll(), RCV_SHUTDOWN gives IN, RDNORM and RDHUP, because a read would not block. "
    .. "OUT is reported even if a write would fail at once. HUP means that both directions are "
    .. "shut down, or that the state is CLOSED. A comment in tcp_poll() explains why HUP does not "
    .. "come earlier: a program cannot mask it.",
  tags = { "close", "half-close", "poll" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    client:type "poll in|out|rdhup\n"
    lab:expect(client):call("poll"):reports "0x4"
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    client:type "poll in|out|rdhup\nread\n"
    lab:expect(client):call("poll"):reports "0x2005"
    lab:expect(client):call("read"):returns(0)
    client:type "shutdown wr\npoll in|out|rdhup\ngetsockopt SO_ERROR\n"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "0x2015"
    lab:expect(client):call("getsockopt", "SO_ERROR"):gives(0)
    lab:expect(server):in_state "TIME_WAIT"
  end,
}
