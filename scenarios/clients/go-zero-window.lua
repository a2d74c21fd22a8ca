-- A program writes to a reader that has stopped reading. Its window is zero, and its kernel answers
-- the probes, or the server loses its power and nobody does.
return {
  title = "A zero window, TCP_USER_TIMEOUT and lost probes",
  asks = "How long does a connection with a zero window live, and what does read return then?",
  source = "golang/go#31490, comment of 2019-10-23 (Linux 4.9, Go 1.13): TCP_USER_TIMEOUT ends the "
    .. "connection whether the probes are answered or not; without it, unanswered probes end it "
    .. "after 16 retries, and answered ones never; Read then returns EOF instead of ETIMEDOUT",
  tags = { "clients", "windows", "options" },
  needs = { "kernel 5.11" },
  cases = {
    {
      name = "user-timeout",
      options = { "--user-timeout", "500ms" },
      title = "A zero window with TCP_USER_TIMEOUT: the probes are answered",
      here = "Until TCP_USER_TIMEOUT has passed since the first probe, although the peer is "
        .. "healthy: this part of the claim holds. The other part does not: read fails with "
        .. "ETIMEDOUT, and returns no end of the stream. dnc, measured on Linux 6.18.",
      why = "tcp_probe_timer() compares the age of the first probe with the user timeout, and "
        .. "tcp_write_err() sets ETIMEDOUT. The first call gets this error, later ones read the "
        .. "end of the stream. Linux 4.9 was not tried.",
      expect = function(lab, client, _, closed)
        local latest = lab:timer("user_timeout", client)
        lab:expect(client):within(2 * latest + 2):call("read"):fails "ETIMEDOUT"
        local gone = lab:expect(client):in_state "CLOSED"
        lab:expect_between(gone.t - closed.t, 0.5, latest, "giving up")
      end,
    },
    {
      name = "probes-answered",
      title = "A zero window without TCP_USER_TIMEOUT: the probes are answered",
      here = "Without end: the claim holds. dnc, measured on Linux 6.18.",
      why = "Each answer sets the counter of probes to zero (tcp_ack()).",
      expect = function(lab, client, kang, closed)
        local last
        repeat
          lab:expect_packet("kang > kodos", "window probe", { within = 130 })
          last = lab:expect_packet("kodos > kang", "zero window")
        until last.t - closed.t > 2 * lab:timer("r2_limit", kang)
        lab:expect(client):still_in_state "ESTABLISHED"
      end,
    },
    {
      name = "probes-lost",
      title = "A zero window without TCP_USER_TIMEOUT: the server loses its power",
      here = "Until tcp_retries2 probes in a row were not answered, and one more interval has "
        .. "passed: 16 intervals by default, as the thread says. read fails with ETIMEDOUT. dnc, "
        .. "measured on Linux 6.18.",
      why = "tcp_probe_timer() gives up when it has sent tcp_retries2 probes, at the next timer.",
      expect = function(lab, client, kang, _, kodos)
        kodos:power_off()
        local retries = tonumber(kang:sysctl "net.ipv4.tcp_retries2")
        for _ = 1, retries do
          lab:expect_packet("kang > kodos", "window probe", { fate = "lost", within = 130 })
        end
        local next = lab:first {
          probe = lab:packet("kang > kodos", "window probe"),
          ["read fails"] = client:call("read"):fails "ETIMEDOUT",
          within = 130,
        }
        lab:check(next == "read fails", "the next timer ends the connection", next)
      end,
    },
  },

  run = function(lab, case)
    local client, server, kang, kodos = lab:connected {
      client = { "--repl", table.unpack(case.options or {}) }, server = { "--rcvbuf", 4096 },
    }
    server:freeze()
    client:type "fill 20000\npoll\nread\n"
    lab:expect(client):call("write"):returns(20000)
    local closed = lab:expect_packet("kodos > kang", "zero window")
    case.expect(lab, client, kang, closed, kodos)
  end,
}
