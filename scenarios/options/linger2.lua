-- TCP_LINGER2 overrides tcp_fin_timeout for one socket: the time that an orphan stays in FIN_WAIT2.
-- A negative value means no time at all (see linger2-negative.lua).
return {
  title = "TCP_LINGER2",
  asks = "How long does an orphan stay in FIN_WAIT2 if its program set TCP_LINGER2?",
  source = "tcp(7), TCP_LINGER2; ip-sysctl, tcp_fin_timeout",
  here = "As long as TCP_LINGER2 says: here 1 s, although tcp_fin_timeout is 60 s. After that the "
    .. "orphan is gone, and the peer's FIN is answered with a RST. Measured on Linux 6.18.",
  why = "tcp_fin_time() uses linger2 if it is not 0, but at least 3.5 RTOs. setsockopt limits the "
    .. "value to TCP_FIN_TIMEOUT_MAX (120 s).",
  tags = { "options", "close", "orphan" },

  run = function(lab)
    local linger2 = 1
    local client, server = lab:connected {
      sysctls = { ["net.ipv4.tcp_fin_timeout"] = "60" },
      client = { "--repl" },
      server = { "--repl" },
    }

    client:type("setsockopt TCP_LINGER2 " .. linger2 .. "\nclose\n")
    local waiting = lab:expect(client):in_state "FIN_WAIT2"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - waiting.t, linger2, "the orphan in FIN_WAIT2")
    server:type "close\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):in_state "CLOSED"
  end,
}
