-- A RST overtakes nothing: what was received before it can still be read, and then comes the
-- error. A program that takes poll's ERR for the end throws good data away.
return {
  title = "Data, then RST",
  asks = "Is data that arrived before a RST lost?",
  source = "RFC 9293 section 3.10.7.4 (RST bit); tcp(7)",
  here = "No: poll says IN|ERR|HUP, read has the data, then ECONNRESET once, then 0. Linux, "
    .. "measured on 6.18.",
  why = "tcp_reset() sets sk_err and ends the connection but leaves the receive queue, and "
    .. "tcp_recvmsg_locked() copies from the queue before it looks at sk_err. RFC 9293 has segment "
    .. "queues flushed at a RST and RECEIVEs answered \"connection reset\"; Linux keeps what it "
    .. "has acknowledged.",
  tags = { "close", "reset" },
  quiz = {
    asks = "14 octets wait in the receive buffer, unread, when a RST arrives. What do the "
      .. "program's reads say?",
    { "The 14 octets, then ECONNRESET, then 0", right = true },
    { "ECONNRESET; the data is lost",
      because = "RFC 9293 would flush the queue. Linux keeps what it has acknowledged." },
    { "ECONNRESET first, then the 14 octets",
      because = "The receive queue is served first; the error waits." },
    { "The 14 octets, then 0",
      because = "The error is told once, after the data. 0 comes after that." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--linger", 0, "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "write \"the last words\"\n"
    lab:expect(server):call("write"):returns(14)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    server:type "close\n"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread 8\nread\nread\nread\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(8)
    lab:expect(client):call("read"):returns(6)
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):call("read"):returns(0)
  end,
}
