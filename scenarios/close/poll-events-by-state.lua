-- Lists poll(2)'s events for a socket from creation to end, both when the program asks for every
-- event and when it asks for none. poll reports HUP and ERR even if the program did not ask for
-- them, so an event loop can spin on them.
return {
  title = "poll events from creation to end",
  asks = "Which events does poll report in each state, and which even if the program asks for "
    .. "none?",
  source = "poll(2); tcp_poll() in net/ipv4/tcp.c",
  here = "Unconnected: OUT|HUP. Established with data: IN|OUT. After the peer's FIN: IN|OUT|RDHUP. "
    .. "Both directions shut down: IN|OUT|HUP|RDHUP. After a RST: ERR as well. HUP and ERR are "
    .. "reported even if the program asks for no event. Measured on Linux 6.18.",
  why = "tcp_poll() reports HUP if both directions are shut down or no connection exists. It "
    .. "reports RDHUP and IN if the peer has shut down its side, and ERR if sk_err is set. poll(2) "
    .. "returns only the events that the program asked for, plus ERR, HUP and NVAL.",
  tags = { "close", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc "--repl"
    client:type("socket\npoll in|out|rdhup 0s\n")
    lab:expect(client):call("poll"):reports "OUT|HUP"
    client:type "connect kodos 8080\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect(server):in_state "ESTABLISHED"

    server:type "write hello\n"
    client:type "poll in\npoll in|out|rdhup\nread\n"
    lab:expect(client):call("poll"):reports "IN"
    lab:expect(client):call("poll"):reports "IN|OUT"
    lab:expect(client):call("read"):returns(5)
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    client:type "poll in|out|rdhup\nshutdown wr\n"
    lab:expect(client):call("poll"):reports "IN|OUT|RDHUP"
    lab:expect(client):in_state "CLOSED"
    client:type "poll in|rdhup\npoll none\n"
    lab:expect(client):call("poll"):reports "IN|HUP|RDHUP"
    lab:expect(client):call("poll"):reports "HUP"

    local other = kodos:dnc("--repl", "-l", 8081)
    client:type("close\nsocket\nconnect kodos 8081\n")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(other):call("accept"):returns()
    other:type "setsockopt SO_LINGER 0\nclose\n"
    client:type "poll in|rdhup\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP|RDHUP"
  end,
}
