-- A program that writes and never reads, such as a logger or a sender of metrics, notices a power
-- cycle at its second write. The data of its first write is lost without an error.
return {
  title = "Power cycle, then write without reading",
  asks = "Which write fails when the other end was power cycled, and what is lost?",
  source = "TCP puzzlers, puzzler 1, with another program; RFC 9293 section 3.5.1",
  here = "The first write succeeds, and its data is lost. The second fails with ECONNRESET. The "
    .. "third fails with EPIPE (and SIGPIPE, unless it is ignored). Measured on Linux 6.18.",
  why = "The first write only fills the send buffer. Its segment gets a RST, and tcp_reset() "
    .. "stores ECONNRESET in sk_err. sk_stream_error() reports it once, to the second write, as "
    .. "no read came before. After that the socket is shut down, which gives EPIPE.",
  tags = { "power", "reset" },
  quiz = {
    asks = "The other end was power cycled. A program that ignores SIGPIPE and never reads writes "
      .. "three times, with a pause after the first. What do the writes return?",
    { "Success, then ECONNRESET, then EPIPE", right = true },
    { "Success, then EPIPE, then EPIPE",
      because = "The RST's error comes first, once: ECONNRESET." },
    { "ECONNRESET, ECONNRESET, ECONNRESET",
      because = "The first write only fills the buffer, and an error is reported once." },
    { "Success, then ECONNRESET, then success over a new connection",
      because = "TCP never reconnects by itself." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--repl", "--ignore-sigpipe" } })

    kodos:power_cycle()
    client:type "write one\n"
    lab:expect(client):call("write"):returns(3)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"

    client:type "write two\nwrite three\nread\n"
    lab:expect(client):call("write"):fails "ECONNRESET"
    lab:expect(client):call("write"):fails "EPIPE"
    lab:expect(client):call("read"):returns(0)
  end,
}
