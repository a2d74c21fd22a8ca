-- A cookie is only as good as the server's memory of its key. A server that was power cycled has
-- a new one: the data in the SYN is not taken, and the client sends it again, late but whole.
return {
  title = "Fast Open with a cookie that is no longer good",
  asks = "What becomes of data in a SYN when the server does not know the cookie any more?",
  source = "RFC 7413 sections 4.1.2 and 4.2.2; ip-sysctl, tcp_fastopen_key",
  here = "The SYN,ACK acknowledges the SYN only, and brings a new cookie; the data comes again "
    .. "after the handshake. The program notices nothing. Linux 4.11 and newer.",
  why = "The key is a random one of each boot (and network namespace) unless tcp_fastopen_key says "
    .. "otherwise. tcp_rcv_fastopen_synack() finds the data unacknowledged and sends it again at "
    .. "once.",
  tags = { "connect", "fast-open", "power", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fastopen"] = 3 } }
    local function serve()
      local server = kodos:dnc("--repl")
      server:type("socket " .. lab.family .. "\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
      lab:expect(server):call("listen"):returns(0)
      server:type "accept\n"
      return server
    end
    local function open_fast()
      local client = kang:dnc("--repl")
      client:type("socket " .. lab.family .. "\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
      client:type "connect kodos 8080\nwrite hello\n"
      lab:expect(client):call("connect"):returns(0)
      return client
    end
    local server = serve()
    local first = open_fast()
    lab:expect(server):call("accept"):returns()
    lab:expect(first):call("write"):returns(5)
    first:stop "SIGINT"
    lab:expect(first):in_state "FIN_WAIT2"
    kodos:power_cycle()

    server = serve()
    local second = open_fast()
    local syn
    repeat -- the first connection's SYN had no data
      syn = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn")
    until syn.length
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    local again = lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    if again.length ~= syn.length then error "other data than the SYN's" end
    lab:expect(second):call("write"):returns(5)
    lab:expect(server):call("accept"):returns()
    server:type "read\n"
    lab:expect(server):call("read"):returns(5)
    lab:expect(second):in_state "ESTABLISHED"
  end,
}
