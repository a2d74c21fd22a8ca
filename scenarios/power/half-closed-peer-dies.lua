-- "I have said all, now answer", and the other host dies. FIN_WAIT2 with a program has no timer:
-- what was the tidy way to close is a wait for ever.
return {
  title = "The peer dies after our half-close",
  asks = "How long does a program wait for the answer of a dead host after shutdown(SHUT_WR)?",
  source = "RFC 9293 section 3.6, case 1; RFC 1122 section 4.2.2.13; tcp(7), SO_KEEPALIVE",
  here = "For ever: everything was acknowledged, FIN_WAIT2, poll waits. With SO_KEEPALIVE set at "
    .. "this late hour: ETIMEDOUT. Linux, measured on 6.18.",
  why = "tcp_fin_timeout is for orphans. Keepalive works in every synchronized state, and begins "
    .. "when the option is set.",
  tags = { "power", "half-close", "keepalive" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    client:type "shutdown wr\npoll in 1s\n"
    lab:expect(client):in_state "FIN_WAIT2"
    kodos:power_off()
    lab:expect(client):call("poll"):returns(0)
    lab:wait(lab:timer("fin_timeout", kang))
    lab:expect(client):still_in_state "FIN_WAIT2"

    local gives_up_after = lab:timer("keepalive_timeout", kang)
    client:type "setsockopt SO_KEEPALIVE on\nread\n"
    lab:expect(client):call("setsockopt"):returns(0)
    lab:expect(client):within(gives_up_after * 1.5 + 2):call("read"):fails "ETIMEDOUT"
    lab:expect(client):in_state "CLOSED"
  end,
}
