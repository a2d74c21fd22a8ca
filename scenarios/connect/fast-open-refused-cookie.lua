-- A Fast Open cookie is valid only as long as the server keeps its key. A power-cycled server has a
-- new key: it ignores the data in the SYN, and the client retransmits that data after the
-- handshake.
return {
  title = "Fast Open with an invalid cookie",
  asks = "What happens to data in a SYN if the server no longer accepts the cookie?",
  source = "RFC 7413 sections 4.1.2 and 4.2.2; ip-sysctl, tcp_fastopen_key",
  here = "The SYN/ACK acknowledges only the SYN and carries a new cookie. The client retransmits "
    .. "the data after the handshake; the programs notice nothing. Linux 4.11 or newer.",
  why = "Each boot and each network namespace gets a random key, unless tcp_fastopen_key sets one. "
    .. "tcp_rcv_fastopen_synack() sees that the data is not acknowledged and retransmits it at "
    .. "once.",
  tags = { "connect", "fast-open", "power", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fastopen"] = 3 } }
    local function serve()
      local server = kodos:dnc("--repl")
      server:type("socket\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
      lab:expect(server):call("listen"):returns(0)
      server:type "accept\n"
      return server
    end
    local function open_fast()
      local client = kang:dnc("--repl")
      client:type("socket\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
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
    repeat -- skips the first connection's SYN, which had no data
      syn = lab:expect_packet("kang > kodos", "SYN")
    until syn.length
    lab:expect_packet("kodos > kang", "SYN ACK")
    local retransmission = lab:expect_packet("kang > kodos", "data")
    lab:check(retransmission.length == syn.length, "the data of the SYN is sent again")
    lab:expect(second):call("write"):returns(5)
    lab:expect(server):call("accept"):returns()
    server:type "read\n"
    lab:expect(server):call("read"):returns(5)
    lab:expect(second):in_state "ESTABLISHED"
  end,
}
