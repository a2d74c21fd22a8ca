-- An administrator, or a node agent that cleans up after an address has moved, destroys a socket
-- with `ss -K`. Network, peer and program are fine, yet the program gets ECONNABORTED.
local ADMIN = { capabilities = { "CAP_NET_ADMIN" } }

return {
  title = "Socket destroyed by ss -K",
  asks = "What makes read or write fail with ECONNABORTED?",
  source = "sock_diag(7), SOCK_DESTROY; ss(8), -K; RFC 9293 section 3.10.5 (ABORT)",
  here = "ss -K does. read fails with ECONNABORTED once. The kernel sends a RST, and the peer's "
    .. "read fails with ECONNRESET. Needs CONFIG_INET_DIAG_DESTROY. Linux 4.5 or newer, measured "
    .. "on 6.18.",
  why = "tcp_abort() does RFC 9293's ABORT on behalf of another program. It sets ECONNABORTED on "
    .. "the socket, sends a RST if tcp_need_reset() includes the state, and ends the connection.",
  tags = { "close", "reset" },
  needs = { "program ss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "--repl", "--ignore-sigpipe" } })

    client:type "read\nread\nwrite more\n"
    lab:expect(client):call("read"):is_entered()
    local ss = kang:run("ss", "-n", "-K", "dport", "=", ":8080", ADMIN)
    lab:expect(ss):exits(0)
    if not lab:await(ss, 0.5):prints ":8080" then -- the line of the socket that it has destroyed
      lab:skip "it needs a kernel with CONFIG_INET_DIAG_DESTROY"
    end
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):call("read"):fails "ECONNABORTED"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("read"):fails "ECONNRESET"

    kodos:dnc("-l", 8081)
    local asker = kang:dnc("--repl", kodos, 8081)
    lab:expect(asker):call("connect"):returns(0)
    lab:expect(asker):in_state "ESTABLISHED"
    lab:expect(kang:run("ss", "-K", "dport", "=", ":8081", ADMIN)):exits(0)
    lab:expect(asker):in_state "CLOSED"
    asker:type "getsockopt SO_ERROR\n"
    lab:expect(asker):call("getsockopt"):gives "ECONNABORTED"
  end,
}
