-- A client that tries again and again until its local server is up may one day be answered by
-- itself: the kernel picks a source port, it happens to be the one that is connected to, and the
-- socket's own SYN opens it. The server then cannot bind its port any more.
return {
  title = "Connected to oneself",
  asks = "How can a client connect to a port on which nobody listens, and talk to itself?",
  source = "RFC 9293 section 3.5, Figure 7 (simultaneous open); ip(7), ip_local_port_range",
  here = "connect returns 0, the socket is ESTABLISHED, and whatever is written is read back. Any "
    .. "Linux; it needs a destination on this host in the range of ephemeral ports.",
  why = "It is a simultaneous open with one participant: the SYN goes out to the very address and "
    .. "port that it comes from, and is delivered to the socket in SYN_SENT that sent it. TCP does "
    .. "not forbid it. Here the range of ephemeral ports is a single one, so that the kernel must "
    .. "pick it; with the usual 28,000 it happens to a client in a loop all the same.",
  tags = { "connect", "simultaneous", "ports" },
  quiz = {
    asks = "Nobody listens on port 8080 of this host. Can a connect to it succeed?",
    { "Yes: when the kernel picks 8080 as its own port, it talks to itself", right = true,
      because = "A simultaneous open with one participant." },
    { "No: ECONNREFUSED",
      because = "Nearly always. But the destination may be the very socket that asks." },
    { "Yes, if SO_REUSEADDR is set",
      because = "That lets bind have an address that is in use; it makes nobody listen." },
    { "No: a port cannot be its own peer",
      because = "Nothing in RFC 9293 says so, and the kernel goes by that." },
  },

  run = function(lab)
    local kang = lab:pair { sysctls = { ["net.ipv4.ip_local_port_range"] = "8080 8080" } }
    local client = kang:dnc("--nc", "--on-stdin-eof", "shutdown", kang, 8080)
    local connect = lab:expect(client):call("connect"):returns(0)
    if connect["local"] ~= connect.remote then
      error("it is not its own peer: " .. connect["local"] .. ", " .. connect.remote)
    end
    lab:expect(client):in_state "ESTABLISHED"
    client:type "is anybody there?\n"
    lab:expect(client):call("write"):returns(18)
    lab:expect(client):call("read"):returns(18)
    lab:expect(client):prints "is anybody there?"

    local server = kang:dnc("--repl")
    server:type("socket " .. lab.family .. "\nsetsockopt SO_REUSEADDR on\nbind 8080\n")
    lab:expect(server):call("bind"):fails "EADDRINUSE"

    client:close_stdin()
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):exits(0)
    lab:expect(client):in_state "TIME_WAIT"
  end,
}
