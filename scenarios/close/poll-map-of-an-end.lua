-- What poll(2) says of a socket from its birth to its end, where every event is asked for and
-- where none is: HUP and ERR come unasked, and a program that asks for nothing still spins on them.
return {
  title = "The poll map of a socket, from birth to end",
  asks = "Which events does poll report in each state, and which of them unasked?",
  source = "poll(2); tcp_poll() in net/ipv4/tcp.c",
  here = "Unconnected: OUT|HUP. Established with data: IN|OUT. The peer's FIN: IN|OUT|RDHUP. Both "
    .. "shut: IN|OUT|HUP|RDHUP, of which HUP comes unasked. After a RST: ERR besides. Measured on "
    .. "Linux 6.18.",
  why = "tcp_poll() reports HUP where both directions are shut or there is no connection, RDHUP "
    .. "and IN where the peer has shut its own, ERR where sk_err is set. poll(2) masks all but "
    .. "ERR, HUP and NVAL by what was asked for.",
  tags = { "close", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc "--repl"
    client:type("socket " .. lab.family .. "\npoll in|out|rdhup 0s\n")
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
    client:type("close\nsocket " .. lab.family .. "\nconnect kodos 8081\n")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(other):call("accept"):returns()
    other:type "setsockopt SO_LINGER 0\nclose\n"
    client:type "poll in|rdhup\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP|RDHUP"
  end,
}
