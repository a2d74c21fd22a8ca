-- The very last acknowledgment is lost, for good. The side that closed second has told
-- everything and heard nothing: it sends its FIN again, with no program behind it, until the
-- kernel's patience with orphans is over.
return {
  title = "The last ACK is lost",
  asks = "How long does a connection stay in LAST_ACK when the final acknowledgment never comes?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); ip-sysctl, tcp_orphan_retries",
  here = "The FIN is retransmitted until tcp_orphan_retries' time has passed (about 107 s with the "
    .. "default 0, which stands for 8); then the socket is gone, and no program is told. Linux, "
    .. "measured on 6.18.",
  why = "A socket that no program has is SOCK_DEAD: tcp_write_timeout() allows it "
    .. "tcp_orphan_retries() instead of tcp_retries2. The peer acknowledges each FIN from "
    .. "TIME_WAIT, in vain.",
  tags = { "close", "orphan" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--nc", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:stop()
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    local gives_up_after = lab:timer("orphan_timeout", server)
    lab:cut("kang > kodos")
    server:type "close\n"
    local close = lab:expect(server):call("close"):returns(0)
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "TIME_WAIT"
    for _ = 1, 2 do -- TIME_WAIT acknowledges the FIN each time
      lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
      lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack", { fate = "lost" })
    end
    local gone = lab:expect(server):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - close.t, gives_up_after, "the orphan in LAST_ACK")
  end,
}
