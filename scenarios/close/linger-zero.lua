-- SO_LINGER with zero seconds is how a program asks for ABORT: close(2) resets the connection. Load
-- generators use it to avoid TIME_WAIT, and their peers see resets.
return {
  title = "SO_LINGER {1, 0}",
  asks = "What does the peer see when a program closes with SO_LINGER on and zero seconds?",
  source = "RFC 9293 section 3.10.5 (ABORT); socket(7), SO_LINGER",
  here = "close(2) returns 0 at once and sends a RST. Nothing is left, not even TIME_WAIT. At the "
    .. "peer, poll reports IN|ERR|HUP and read fails with ECONNRESET. Measured on Linux 6.18.",
  why = "With sk_lingertime 0, tcp_close() calls tcp_disconnect(). That purges the send queue, "
    .. "and sends a RST in every state that tcp_need_reset() includes. A reset connection skips "
    .. "TIME_WAIT, so nothing protects the next connection from its old segments.",
  tags = { "close", "reset", "options" },
  quiz = {
    asks = "A program has read everything on a connection. It sets SO_LINGER to on, 0 seconds, "
      .. "and closes. What does the peer's read return?",
    { "-1 ECONNRESET", right = true },
    { "0, end of stream",
      because = "0 seconds does not mean \"do not wait\". It means that close resets the "
        .. "connection." },
    { "Nothing yet: close waits for 0 seconds, then sends FIN",
      because = "The kernel sends a FIN with any other time, or with SO_LINGER off." },
    { "-1 EPIPE", because = "EPIPE is for a RST in CLOSE_WAIT, or a write after the end." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--linger", 0, "--on-stdin-eof", "close" },
    })

    client:close_stdin()
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect_time(close.t - close.entered, 0, "close(2)")
    lab:expect_packet("kang > kodos", "RST ACK")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("poll"):reports "IN|ERR|HUP"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
  end,
}
