-- The client shuts down its sending side and waits for the answer, and the server's host dies. A
-- socket with a program has no timer in FIN_WAIT2, so the client waits forever.
return {
  title = "Peer dies after the client's half-close",
  asks = "How long does a program wait for a dead host's answer after shutdown(SHUT_WR)?",
  source = "RFC 9293 section 3.6, case 1; RFC 1122 section 4.2.2.13; tcp(7), SO_KEEPALIVE",
  here = "Forever. Everything was acknowledged, the state is FIN_WAIT2, and poll waits. If the "
    .. "program then sets SO_KEEPALIVE, read fails with ETIMEDOUT. Measured on Linux 6.18.",
  why = "tcp_fin_timeout applies only to orphans. Keepalive works in every synchronized state, "
    .. "and starts when the program sets the option.",
  tags = { "power", "half-close", "keepalive" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--repl" } })

    client:type "shutdown wr\npoll in 1s\n"
    lab:expect(client):in_state "FIN_WAIT2"
    kodos:power_off()
    lab:expect(client):call("poll"):returns(0)
    lab:wait(lab:timer("fin_timeout", kang))
    lab:expect(client):still_in_state "FIN_WAIT2"

    local gives_up_after = lab:timer("keepalive_timeout", kang)
    client:type "setsockopt SO_KEEPALIVE on\nread\n"
    lab:expect(client):call("setsockopt", "SO_KEEPALIVE"):returns(0)
    lab:expect(client):within(gives_up_after * 1.5 + 2):call("read"):fails "ETIMEDOUT"
    lab:expect(client):in_state "CLOSED"
  end,
}
