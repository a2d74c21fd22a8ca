-- The last acknowledgment of a close is lost every time. The side that closed second has no program
-- left, and its kernel retransmits the FIN until it gives up.
return {
  title = "The last ACK is lost",
  asks = "How long does a connection stay in LAST_ACK when the final acknowledgment never arrives?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); ip-sysctl, tcp_orphan_retries",
  here = "For the time that tcp_orphan_retries allows: about 107 s with the default 0, which "
    .. "stands for 8. The kernel retransmits the FIN and then deletes the socket. No program gets "
    .. "an error. Measured on Linux 6.18.",
  why = "A socket without a program is SOCK_DEAD, and for such a socket tcp_write_timeout() uses "
    .. "tcp_orphan_retries() instead of tcp_retries2. The peer acknowledges each FIN from "
    .. "TIME_WAIT, but its ACKs are lost.",
  tags = { "close", "orphan" },

  run = function(lab)
    local client, server = lab:connected { client = { "--nc" }, server = { "--repl" } }

    client:stop()
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    local gives_up_after = lab:timer("orphan_r2", server)
    lab:cut("kang > kodos")
    server:type "close\n"
    local close = lab:expect(server):call("close"):returns(0)
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "TIME_WAIT"
    for _ = 1, 2 do -- TIME_WAIT acknowledges the FIN each time
      lab:expect_packet("kodos > kang", "FIN")
      lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    end
    local gone = lab:expect(server):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - close.entered, gives_up_after, "the orphan timeout in LAST_ACK")
  end,
}
