-- Data arrives, then a RST. The program can still read the data, and gets the error after it. A
-- program that stops at poll's ERR throws good data away.
return {
  title = "Data, then RST",
  asks = "Is data lost if a RST arrives after it?",
  source = "RFC 9293 section 3.10.7.4 (RST bit); tcp(7)",
  here = "No. poll reports IN|ERR|HUP. read returns the data, then ECONNRESET once, then 0. "
    .. "Measured on Linux 6.18.",
  why = "tcp_reset() sets sk_err and ends the connection, but it leaves the receive queue alone. "
    .. "tcp_recvmsg_locked() copies from the queue before it checks sk_err. RFC 9293 differs: at "
    .. "a RST all segment queues should be flushed, and RECEIVE calls should get \"reset\" "
    .. "responses. Linux keeps the data that it has acknowledged.",
  tags = { "close", "reset" },
  quiz = {
    asks = "14 bytes wait unread in the receive buffer when a RST arrives. What do the program's "
      .. "reads return?",
    { "The 14 bytes, then ECONNRESET, then 0", right = true },
    { "ECONNRESET; the data is lost",
      because = "RFC 9293 would flush the queue. Linux keeps what it has acknowledged." },
    { "ECONNRESET first, then the 14 bytes",
      because = "read empties the receive queue first. The error comes after it." },
    { "The 14 bytes, then 0",
      because = "The error comes once, after the data. Only then does read return 0." },
  },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl" }, server = { "--repl", "--linger", 0 },
    }

    server:type "write \"the last words\"\n"
    lab:expect(server):call("write"):returns(14)
    lab:expect_packet("kang > kodos", "ACK only")
    server:type "close\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread 8\nread\nread\nread\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(8)
    lab:expect(client):call("read"):returns(6)
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):call("read"):returns(0)
  end,
}
