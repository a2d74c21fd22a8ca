-- The peer's kernel answers every window probe, but its program does not read. Without
-- TCP_USER_TIMEOUT the writer waits forever. With it, the kernel aborts a connection to a healthy
-- host.
return {
  title = "TCP_USER_TIMEOUT with a zero window",
  asks = "Does TCP_USER_TIMEOUT end a connection whose peer is alive?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482 section 1; RFC 9293 section 3.8.6.1",
  here = "Yes. With a zero window the peer cannot acknowledge new data, and ETIMEDOUT comes when "
    .. "TCP_USER_TIMEOUT has passed since the first probe. The kernel sends no RST, so the peer "
    .. "stays ESTABLISHED and keeps the data that it has. Linux 5.11 or newer, measured on 6.18.",
  why = "tcp_probe_timer() compares the time since icsk_probes_tstamp with icsk_user_timeout and "
    .. "aborts, even if the peer answered the probes. tcp_write_err() reports the error to the "
    .. "program and sends nothing to the peer.",
  tags = { "keepalive", "windows", "options" },
  needs = { "kernel 5.11" }, -- has icsk_probes_tstamp

  run = function(lab)
    local user_timeout = 500 * lab.millisecond
    local client, server = lab:connected {
      client = { "--repl", "--user-timeout", "500ms" }, server = { "--rcvbuf", 4096 },
    }

    server:freeze()
    client:type "fill 20000\npoll\nread\n"
    lab:expect(client):call("write"):returns(20000)
    local closed = lab:expect_packet("kodos > kang", "zero window")
    lab:expect_packet("kodos > kang", "zero window") -- the answer to a probe
    -- The client's end sends nothing. But an answer to its last probe may come after its end, and
    -- draws a RST; that is another story.
    lab:cut("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    local latest = lab:timer("user_timeout", client, user_timeout)
    lab:expect(client):within(2 * latest + 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - closed.t, user_timeout, latest, "giving up")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
