-- What poll(2) says of each half of a connection that ends in good order: IN is not "data", HUP
-- is not "the peer hung up". HUP comes only when both directions have ended.
return {
  title = "The poll map of a half-close",
  asks = "Which events does poll(2) report when the peer closes, and when we do, too?",
  source = "poll(2); tcp_poll() in net/ipv4/tcp.c",
  here = "Established: OUT (0x4). The peer's FIN: IN|OUT|RDHUP (0x2005). Our own shutdown, too: "
    .. "IN|OUT|HUP|RDHUP (0x2015), without an error. Linux, measured on 6.18.",
  why = "tcp_poll(): RCV_SHUTDOWN gives IN, RDNORM and RDHUP, for a read would not block; OUT is "
    .. "reported also for a write that would fail at once; HUP means that both directions are shut "
    .. "down, or the state is CLOSED. The comment there says why HUP is not given sooner: it "
    .. "cannot be masked.",
  tags = { "close", "half-close", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

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
    lab:expect(client):call("getsockopt"):returns(0)
    lab:expect(server):in_state "TIME_WAIT"
  end,
}
