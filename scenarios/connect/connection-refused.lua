-- The simplest failure: the host is up, but no program listens on the port. Its kernel answers with
-- a RST, so connect fails within one round trip.
return {
  title = "No listener on the port",
  asks = "What does connect return when the host is up but no program listens on the port?",
  source = "RFC 9293 section 3.10.7.1; connect(2), ECONNREFUSED",
  here = "The server's kernel answers the SYN with RST/ACK. connect fails with ECONNREFUSED at "
    .. "once. Any Linux version.",
  why = "RFC 9293 requires a RST in answer to a segment for a port in state CLOSED. This RST "
    .. "acknowledges the SYN (tcp_v4_send_reset()). In SYN_SENT, tcp_reset() in "
    .. "net/ipv4/tcp_input.c sets ECONNREFUSED; in other states it sets another errno.",
  tags = { "connect", "refused", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "RST ACK")
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):exits(1)
    lab:expect(kodos):has_no_connection()
  end,
}
