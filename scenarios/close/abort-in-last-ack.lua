-- Abort after both FINs: the stream is complete in both directions, only one acknowledgment is
-- missing. RFC 9293 has no RST here, and Linux sends none.
return {
  title = "Abort in LAST_ACK",
  asks = "Is a connection reset that is aborted when only the last acknowledgment is missing?",
  source = "RFC 9293 section 3.10.5 (ABORT: CLOSING, LAST-ACK, TIME-WAIT); tcp_disconnect()",
  here = "No: close with SO_LINGER {1, 0} sends nothing, the socket is gone; the peer is in "
    .. "TIME_WAIT and never knows. Linux, measured on 6.18.",
  why = "tcp_need_reset() names SYN_RECV, ESTABLISHED, FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT. In "
    .. "LAST_ACK a RST is only sent while something is unsent.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--nc", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:stop()
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    lab:cut("kang > kodos")
    server:type "shutdown wr\n"
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "TIME_WAIT"
    server:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect(server):call("close"):returns(0)
    lab:expect(server):in_state "CLOSED"
    lab:never_packet(0.5, "kodos > kang", "tcp")
    lab:expect(client):still_in_state "TIME_WAIT"
  end,
}
