-- Fast Open sends the first data in the SYN, if the client has a cookie from an earlier connection.
-- The server reads the data in SYN_RECV, one round trip earlier than after a handshake.
return {
  title = "Fast Open",
  asks = "When can a server read data that arrives with a SYN?",
  source = "RFC 7413; ip-sysctl, tcp_fastopen; tcp(7), TCP_FASTOPEN, TCP_FASTOPEN_CONNECT",
  here = "In SYN_RECV, before the handshake is complete, if the client has a cookie. The first "
    .. "connection requests the cookie, and connect waits for the handshake. With the cookie, "
    .. "connect returns 0 before a SYN is sent, and write sends a SYN with the data. The server's "
    .. "accept and read then succeed in SYN_RECV. Linux 4.11 or newer (TCP_FASTOPEN_CONNECT).",
  why = "tcp_try_fastopen() creates a full socket in SYN_RECV from a SYN with a valid cookie, and "
    .. "puts its data into the receive queue. The last ACK makes it ESTABLISHED. The cookie proves "
    .. "that the client owns its address; without a cookie only the handshake proves that.",
  tags = { "connect", "fast-open", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fastopen"] = 3 } }
    local server = kodos:dnc("--repl")
    server:type("socket\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    local function open_fast()
      local client = kang:dnc("--repl")
      client:type("socket\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
      client:type "connect kodos 8080\n"
      lab:expect(client):call("connect"):returns(0)
      client:type "write hello\n"
      return client
    end

    local first = open_fast()
    lab:expect_packet("kang > kodos", "SYN")
    lab:expect(first):call("write"):returns(5)
    server:type "accept\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(kodos):in_state "ESTABLISHED"

    local last_ack = lab:hold("kang > kodos", "ACK only")
    local second = open_fast()
    local syn = lab:expect_packet("kang > kodos", "tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn")
    lab:check(syn.length == 5, "the SYN carries the data", syn.length)
    lab:expect(second):call("write"):returns(5)
    server:type "use 4\naccept\nread\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("read"):returns(5)
    lab:expect(kodos):in_state "SYN_RECV"
    last_ack:remove()
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
