-- A program vanishes without a message. It wrote to a connection that had ended, which raises
-- SIGPIPE, and SIGPIPE kills by default. With MSG_NOSIGNAL or SIG_IGN, the call fails with EPIPE
-- instead.
return {
  title = "SIGPIPE with its default action",
  asks = "Why did the program disappear without an error message?",
  source = "signal(7); send(2), MSG_NOSIGNAL; write(2), EPIPE",
  here = "SIGPIPE killed it. After the connection has ended, send with MSG_NOSIGNAL fails with "
    .. "EPIPE, but write raises SIGPIPE and never returns. Measured on Linux 6.18.",
  why = "sk_stream_error() raises SIGPIPE together with EPIPE unless MSG_NOSIGNAL is set. The "
    .. "first write after the peer's close still succeeds. The first write after the RST raises "
    .. "the signal.",
  tags = { "close", "signals" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--nc" } }

    server:stop()
    lab:expect(client):in_state "CLOSE_WAIT"
    client:type "write first\n"
    lab:expect(client):call("write"):returns(5)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"
    client:type "getsockopt SO_ERROR\nsend second nosignal\nwrite third\n"
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):call("send"):fails "EPIPE"
    lab:expect(client):call("write"):is_entered()
    lab:expect(client):killed_by "SIGPIPE"
  end,
}
