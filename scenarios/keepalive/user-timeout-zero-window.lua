-- The peer lives, its kernel answers every probe, but its program does not read. Without
-- TCP_USER_TIMEOUT the writer waits for ever; with it the connection to a healthy host dies.
return {
  title = "TCP_USER_TIMEOUT and a peer that does not read",
  asks = "Does TCP_USER_TIMEOUT end a connection whose peer is alive?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482 section 1; RFC 9293 section 3.8.6.1",
  here = "Yes: while the window is zero nothing can be acknowledged, and ETIMEDOUT comes that long "
    .. "after the first probe. No RST goes out: the peer stays ESTABLISHED with all that it has. "
    .. "Linux 5.11 or newer, measured on 6.18.",
  why = "tcp_probe_timer() compares the time since icsk_probes_tstamp with icsk_user_timeout and "
    .. "aborts, whether the probes were answered or not. tcp_write_err() tells the program and "
    .. "nobody else.",
  tags = { "keepalive", "windows", "options" },
  needs = { "kernel 5.11" }, -- icsk_probes_tstamp

  run = function(lab)
    local patience = 500 * lab.millisecond
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--rcvbuf", 4096, "-l", 8080)
    local client = kang:dnc("--repl", "--user-timeout", "500ms", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type "fill 65536\npoll\nread\n"
    lab:expect(client):call("write"):returns(65536)
    local full = lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack and tcp[14:2] = 0")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack and tcp[14:2] = 0") -- of a probe
    local latest = lab:timer("user_timeout", client, patience)
    lab:expect(client):within(2 * latest + 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - full.t, patience, latest, "giving up")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
