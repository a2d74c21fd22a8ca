-- A client retries until its local server is up, and one day connects to itself. The kernel has
-- picked the destination port as the source port, so the socket's own SYN opens the connection. The
-- server then cannot bind its port.
return {
  title = "A client connects to itself",
  asks = "How can a client connect to a port without a listener, and talk to itself?",
  source = "RFC 9293 section 3.5, Figure 7 (simultaneous open); ip(7), ip_local_port_range",
  here = "If the kernel picks the destination port as the source port. connect then returns 0, the "
    .. "socket is ESTABLISHED, and the client reads what it has written. The destination must be "
    .. "on this host, with a port in the ephemeral range. Any Linux version.",
  why = "This is a simultaneous open with one participant. The SYN goes to the address and port "
    .. "that it comes from, so it reaches the socket in SYN_SENT that sent it. TCP does not forbid "
    .. "this. Here the ephemeral range has a single port, so the kernel must pick it. With the "
    .. "usual 28,000 ports it happens to a client that retries in a loop.",
  tags = { "connect", "simultaneous", "ports" },
  quiz = {
    asks = "No program listens on port 8080 of this host. Can a connect to it succeed?",
    { "Yes: if the kernel picks 8080 as the source port, the client talks to itself", right = true,
      because = "This is a simultaneous open with one participant." },
    { "No: ECONNREFUSED",
      because = "Nearly always. But the destination may be the connecting socket itself." },
    { "Yes, if SO_REUSEADDR is set",
      because = "SO_REUSEADDR lets bind take an address that is in use; it creates no listener." },
    { "No: a port cannot be its own peer",
      because = "RFC 9293 does not forbid it, and Linux allows it." },
  },

  run = function(lab)
    local kang = lab:pair { sysctls = { ["net.ipv4.ip_local_port_range"] = "8080 8080" } }
    local client = kang:dnc("--nc", "--on-stdin-eof", "shutdown", kang, 8080)
    local connect = lab:expect(client):call("connect"):returns(0)
    lab:check(connect["local"] == connect.remote, "the socket is its own peer", connect.remote)
    lab:expect(client):in_state "ESTABLISHED"
    client:type "is anybody there?\n"
    lab:expect(client):call("write"):returns(18)
    lab:expect(client):call("read"):returns(18)
    lab:expect(client):prints "is anybody there?"

    local server = kang:dnc("--repl")
    server:type("socket\nsetsockopt SO_REUSEADDR on\nbind 8080\n")
    lab:expect(server):call("bind"):fails "EADDRINUSE"

    client:close_stdin()
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):exits(0)
    lab:expect(client):in_state "TIME_WAIT"
  end,
}
