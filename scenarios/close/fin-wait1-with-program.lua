-- The same dead peer, but the program only shut its sending side down and waits for an answer: it
-- still has the socket, and is told.
return {
  title = "FIN_WAIT1 with a program, its peer dead",
  asks = "Does a program that called shutdown(SHUT_WR) learn that its last data never arrived?",
  source = "RFC 9293 section 3.10.8; ip-sysctl, tcp_retries2, tcp_orphan_retries",
  here = "Yes, as long as it keeps its socket: ETIMEDOUT from read after tcp_retries2's time, not "
    .. "the orphans'. Linux, measured on 6.18.",
  why = "tcp_write_timeout() takes tcp_orphan_retries for sockets that are SOCK_DEAD only; this "
    .. "one has an owner. shutdown, read until 0, then close is the way to know.",
  tags = { "close", "power", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_orphan_retries"] = "1" } }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    local gives_up_after = lab:timer("retransmission_timeout", client)
    client:type "write goodbye\nshutdown wr\nread\n"
    local shutdown = lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    local read = lab:expect(client):within(gives_up_after * 1.5 + 2):call("read"):fails "ETIMEDOUT"
    lab:expect_time(read.t - shutdown.t, gives_up_after, "giving up")
    lab:expect(client):in_state "CLOSED"
  end,
}
