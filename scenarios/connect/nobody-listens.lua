-- The simplest failure: the host is there, its kernel answers, but no program listens on the port.
-- The refusal comes within one round trip, which is why it is the kindest way to fail.
return {
  title = "Nobody listens",
  asks = "What does connect see when the host is up but no program listens on the port?",
  source = "RFC 9293 section 3.10.7.1; connect(2), ECONNREFUSED",
  here = "The SYN is answered with RST,ACK; connect fails with ECONNREFUSED at once. Any Linux.",
  why = "A segment for a port in state CLOSED is answered with a RST (tcp_v4_send_reset()), which "
    .. "acknowledges the SYN. A RST that finds a socket in SYN_SENT makes ECONNREFUSED of it "
    .. "(tcp_reset() in net/ipv4/tcp_input.c); in any other state it means something else.",
  tags = { "connect", "refused", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-rst|tcp-ack")
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):exits(1)
    lab:expect(kodos):has_no_connection()
  end,
}
