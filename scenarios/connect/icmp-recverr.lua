-- A program that sets IP_RECVERR gets ICMP errors at once, even on a working connection. The next
-- call fails, and the one after that works. A program that closes on any error loses the
-- connection.
return {
  title = "ICMP errors reported at once by IP_RECVERR",
  asks = "What does IP_RECVERR change for an established TCP connection?",
  source = "ip(7), IP_RECVERR; ipv6(7), IPV6_RECVERR; RFC 1122 section 4.2.3.9",
  here = "poll returns with ERR, and the next call fails once with the errno of the ICMP error. "
    .. "The connection stays ESTABLISHED and carries data both ways. Measured on Linux 6.18.",
  why = "If the option is set, tcp_v4_err() and tcp_v6_err() store the error in sk_err instead of "
    .. "sk_err_soft. They do not end the connection. sock_error() returns the error and clears it.",
  tags = { "connect", "icmp", "socket-options", "calls" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }
    local option = lab.family == 4 and "IP_RECVERR" or "IPV6_RECVERR"
    client:type("setsockopt " .. option .. " 1\n")
    lab:expect(client):call("setsockopt", option):returns(0)

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
