-- Not the network, not the other side, not the program itself: an administrator, or a node agent
-- that cleans up after a moved address, ends the connection with `ss -K`.
return {
  title = "A connection that the administrator ends",
  asks = "Who returns ECONNABORTED from read or write?",
  source = "sock_diag(7), SOCK_DESTROY; ss(8), -K; RFC 9293 section 3.10.5 (ABORT)",
  here = "read fails with ECONNABORTED, once; RST goes out, and the peer has ECONNRESET. Needs a "
    .. "kernel with CONFIG_INET_DIAG_DESTROY. Linux 4.5 or newer, measured on 6.18.",
  why = "tcp_abort() is the user call ABORT on somebody else's behalf: it sets ECONNABORTED on the "
    .. "socket, sends a RST where tcp_need_reset() says so, and ends the connection.",
  tags = { "close", "reset" },
  needs = { "program ss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "read\nread\nwrite more\n"
    lab:expect(client):call("read"):is_entered()
    local ss = kang:run("ss", "-K", "dport", "=", ":8080")
    lab:expect(ss):exits(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("read"):fails "ECONNABORTED"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("read"):fails "ECONNRESET"

    kodos:dnc("-l", 8081)
    local asker = kang:dnc("--repl", kodos, 8081)
    lab:expect(asker):call("connect"):returns(0)
    lab:expect(asker):in_state "ESTABLISHED"
    lab:expect(kang:run("ss", "-K", "dport", "=", ":8081")):exits(0)
    lab:expect(asker):in_state "CLOSED"
    asker:type "getsockopt SO_ERROR\n"
    lab:expect(asker):call("getsockopt"):gives "ECONNABORTED"
  end,
}
