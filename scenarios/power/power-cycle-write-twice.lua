-- A program that writes and never reads, as loggers and senders of metrics do, meets a power
-- cycle at its second write; what the first one took is lost without a word.
return {
  title = "Power cycle, write twice without reading",
  asks = "Which write fails when the other end was power cycled, and what is lost?",
  source = "TCP puzzlers, puzzler 1, with another program; RFC 9293 section 3.5.1",
  here = "First write: succeeds, its data is lost. Second: ECONNRESET. Third: EPIPE (and SIGPIPE, "
    .. "where it is not ignored). Linux, measured on 6.18.",
  why = "The first write only fills the send buffer; its segment brings back the RST, and "
    .. "tcp_reset() leaves ECONNRESET in sk_err. sk_stream_error() hands it out once, as no read "
    .. "came before; after that the socket is shut down, which is EPIPE.",
  tags = { "power", "reset" },
  quiz = {
    asks = "The other end was power cycled. A program that ignores SIGPIPE, and never reads, "
      .. "writes three times, with a pause after the first. What do the writes say?",
    { "Written, then ECONNRESET, then EPIPE", right = true },
    { "Written, then EPIPE, then EPIPE",
      because = "The error of the RST is told once, first: ECONNRESET." },
    { "ECONNRESET, ECONNRESET, ECONNRESET",
      because = "The first one only fills the buffer, and an error is told once." },
    { "Written, then ECONNRESET, then written again over a new connection",
      because = "TCP never connects anew by itself." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_cycle()
    client:type "write one\n"
    lab:expect(client):call("write"):returns(3)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"

    client:type "write two\nwrite three\nread\n"
    lab:expect(client):call("write"):fails "ECONNRESET"
    lab:expect(client):call("write"):fails "EPIPE"
    lab:expect(client):call("read"):returns(0)
  end,
}
