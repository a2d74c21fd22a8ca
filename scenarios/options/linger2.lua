-- TCP_LINGER2 is the socket's own tcp_fin_timeout, and a negative value means: not at all.
return {
  title = "TCP_LINGER2",
  asks = "How long does an orphan stay in FIN_WAIT2, if its program said so?",
  source = "tcp(7), TCP_LINGER2; ip-sysctl, tcp_fin_timeout",
  here = "1 s, as the socket says, though tcp_fin_timeout is 60 s: gone after that, and the peer's "
    .. "FIN is answered with RST. Linux, measured on 6.18.",
  why = "tcp_fin_time() takes linger2 where it is not 0, and at least 3.5 retransmission timeouts; "
    .. "values above TCP_FIN_TIMEOUT_MAX (120 s) are refused.",
  tags = { "options", "close", "orphan" },

  run = function(lab)
    local linger2 = 1
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fin_timeout"] = "60" } }
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type("setsockopt TCP_LINGER2 " .. linger2 .. "\nclose\n")
    local waiting = lab:expect(client):in_state "FIN_WAIT2"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - waiting.t, linger2, "the orphan in FIN_WAIT2")
    server:type "close\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):in_state "CLOSED"
  end,
}
