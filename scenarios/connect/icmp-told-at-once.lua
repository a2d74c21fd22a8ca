-- A program that asks for ICMP errors gets them at once, in a connection that has nothing wrong
-- with it: the next call fails, and the one after works.
return {
  title = "ICMP errors told at once (IP_RECVERR)",
  asks = "What does IP_RECVERR change for an established TCP connection?",
  source = "ip(7), IP_RECVERR; ipv6(7), IPV6_RECVERR; RFC 1122 section 4.2.3.9",
  here = "poll wakes with ERR and the next call fails with the ICMP's errno, once. The connection "
    .. "stays ESTABLISHED and goes on carrying data both ways. Measured on Linux 6.18.",
  why = "tcp_v4_err() and tcp_v6_err() put the error into sk_err instead of sk_err_soft where the "
    .. "option is set, and call nothing that would end the connection. sock_error() takes it out.",
  tags = { "connect", "icmp", "socket-options", "calls" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    client:type("setsockopt " .. (lab.family == 4 and "IP_RECVERR" or "IPV6_RECVERR") .. " 1\n")
    lab:expect(client):call("setsockopt"):returns(0)

    lab:icmp { error = "port-unreachable", about = lab:connection(client) }
    client:type "poll in\nread\n"
    lab:expect(client):call("poll"):reports "ERR"
    lab:expect(client):call("read"):fails "ECONNREFUSED"
    lab:expect(client):still_in_state "ESTABLISHED"
    client:type "write hello\n"
    lab:expect(client):call("write"):returns(5)
    lab:expect(server):prints "hello"
    server:type "still here\n"
    client:type "read\n"
    lab:expect(client):call("read"):returns(11)
  end,
}
