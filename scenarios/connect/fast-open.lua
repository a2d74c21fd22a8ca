-- Fast Open puts the first data into the SYN, for a client that has been there before and kept a
-- cookie. The server reads it in SYN_RECV, before it knows that the client hears the answer.
return {
  title = "Fast Open",
  asks = "When can a server read data that comes with a SYN?",
  source = "RFC 7413; ip-sysctl, tcp_fastopen; tcp(7), TCP_FASTOPEN, TCP_FASTOPEN_CONNECT",
  here = "The first connection asks for a cookie, and connect waits for the handshake. With the "
    .. "cookie, connect returns 0 before a SYN is sent, write sends SYN and data, and accept and "
    .. "read answer in SYN_RECV. Linux 4.11 and newer (TCP_FASTOPEN_CONNECT).",
  why = "tcp_try_fastopen() makes a whole socket of a SYN with a valid cookie, in state SYN_RECV, "
    .. "and puts its data into the receive queue; the last ACK makes it ESTABLISHED. The cookie "
    .. "proves that the client's address is its own, which a handshake would have to.",
  tags = { "connect", "fast-open", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fastopen"] = 3 } }
    local server = kodos:dnc("--repl")
    server:type("socket " .. lab.family .. "\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    local function open_fast()
      local client = kang:dnc("--repl")
      client:type("socket " .. lab.family .. "\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
      client:type "connect kodos 8080\n"
      lab:expect(client):call("connect"):returns(0)
      client:type "write hello\n"
      return client
    end

    local first = open_fast()
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn")
    lab:expect(first):call("write"):returns(5)
    server:type "accept\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(kodos):in_state "ESTABLISHED"

    local last_ack = lab:hold("kang > kodos", "tcp[tcpflags] == tcp-ack")
    local second = open_fast()
    local syn = lab:expect_packet("kang > kodos", "tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn")
    if syn.length ~= 5 then error "the SYN has no data" end
    lab:expect(second):call("write"):returns(5)
    server:type "use 4\naccept\nread\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("read"):returns(5)
    lab:expect(kodos):in_state "SYN_RECV"
    last_ack:lift()
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
