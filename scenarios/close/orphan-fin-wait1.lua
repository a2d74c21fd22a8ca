-- The program closed and went its way; the peer is dead. What is left is a socket in FIN_WAIT1
-- that belongs to nobody, with whatever was still to be sent in its memory. Thousands of them
-- after an outage are this.
return {
  title = "An orphan in FIN_WAIT1, its peer dead",
  asks = "What becomes of a connection that was closed while its peer is dead?",
  source = "ip-sysctl, tcp_orphan_retries, tcp_max_orphans; RFC 9293 section 3.10.8",
  here = "close says 0; FIN_WAIT1 until tcp_orphan_retries' time has passed (about 107 s with the "
    .. "default 0, which stands for 8); then gone. Nobody is told that the data never arrived. "
    .. "Linux, measured on 6.18.",
  why = "tcp_close() hands the socket over to the kernel: an orphan (SOCK_DEAD), counted against "
    .. "tcp_max_orphans. tcp_write_timeout() takes tcp_orphan_retries() for it in place of "
    .. "tcp_retries2; the arithmetic is the same.",
  tags = { "close", "orphan", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    local gives_up_after = lab:timer("orphan_timeout", client)
    client:type "write goodbye\nclose\n"
    lab:expect(client):call("write"):returns(7)
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - close.t, gives_up_after, "the orphan in FIN_WAIT1")
    lab:expect(client):still_runs()
  end,
}
