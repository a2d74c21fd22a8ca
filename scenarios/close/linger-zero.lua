-- SO_LINGER with zero seconds is the program's way to say ABORT: close(2) resets the connection.
-- Load generators use it to be rid of TIME_WAIT, and their peers see resets.
return {
  title = "SO_LINGER {1, 0}",
  asks = "What does the peer see when a program closes with SO_LINGER on and zero seconds?",
  source = "RFC 9293 section 3.10.5 (ABORT); socket(7), SO_LINGER",
  here = "close(2) returns 0 at once, a RST goes out, and nothing is left: no TIME_WAIT. The peer: "
    .. "poll IN|ERR|HUP, read ECONNRESET. Linux, measured on 6.18.",
  why = "tcp_close() with sk_lingertime 0 calls tcp_disconnect(), which sends a RST in every state "
    .. "that has a peer to tell (tcp_need_reset()) and throws the send queue away. A connection "
    .. "that was reset does not wait in TIME_WAIT, so its old segments are not waited out either.",
  tags = { "close", "reset", "options" },
  quiz = {
    asks = "A program sets SO_LINGER to on, 0 seconds, and closes a connection on which all "
      .. "was read. What does the peer's read say?",
    { "-1 ECONNRESET", right = true },
    { "0, the end of the stream",
      because = "0 seconds is not \"do not wait\": it means that the connection is reset." },
    { "Nothing yet: close waits for 0 seconds, then sends FIN",
      because = "A FIN is what it would send with any other time, or with SO_LINGER off." },
    { "-1 EPIPE", because = "EPIPE is for a RST in CLOSE_WAIT, or a write after the end." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--linger", 0, "--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:close_stdin()
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect_time(close.t - close.entered, 0, "close(2)")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-rst|tcp-ack")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("poll"):reports "IN|ERR|HUP"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
  end,
}
