-- The peer sends data, then FIN, then RST. After the FIN, read(2) reports end of stream and not the
-- reset. Only SO_ERROR or a write shows the error.
return {
  title = "RST in CLOSE_WAIT, with data queued",
  asks = "Can a program that reads end of stream find out that a reset came after it?",
  source = "RFC 9293 section 3.10.7.4 (RST bit, CLOSE-WAIT); tcp(7)",
  here = "Not by reading: read returns the data, then 0, then 0 again. poll reports IN|ERR|HUP, "
    .. "and SO_ERROR returns EPIPE once. Measured on Linux 6.18.",
  why = "tcp_reset() sets EPIPE in CLOSE_WAIT. tcp_recvmsg_locked() checks SOCK_DONE, which the "
    .. "FIN set, before sk_err. read returns 0 and leaves the error for the next call that checks "
    .. "it.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl", "--ignore-sigpipe" }, server = { "--repl" },
    }

    server:type "write \"the last words\"\nshutdown wr\n"
    lab:expect(server):in_state "FIN_WAIT2"
    lab:expect(client):in_state "CLOSE_WAIT"
    server:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread\nread\ngetsockopt SO_ERROR\nread\nwrite more\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(14)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
