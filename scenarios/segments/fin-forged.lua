-- A forged FIN ends a stream as if the peer had closed it, so a truncated answer looks complete.
-- This is why TLS marks end of stream itself (close_notify).
return {
  title = "A forged FIN",
  asks = "Can an attacker end a stream so that it looks as if the peer had ended it?",
  source = "RFC 9293 section 3.10.7.4, eighth step; RFC 8446 section 6.1",
  here = "Yes: read returns 0. The peer does not notice and stays ESTABLISHED. When it sends data, "
    .. "that data overlaps the FIN and ends the connection: the peer gets a RST and ECONNRESET. "
    .. "The end that got the FIN reads end of stream first, and then finds EPIPE in SO_ERROR. Any "
    .. "Linux version.",
  why = "A FIN needs only the numbers that data needs. After end of stream, no valid data can "
    .. "start before RCV.NXT and extend beyond it, so tcp_rcv_state_process() in "
    .. "net/ipv4/tcp_input.c resets the connection (RFC 1122 section 4.2.2.13).",
  tags = { "segments", "fin" },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    lab:connection(client):fin()
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(client):call("read"):returns(0)
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect_packet("kodos > kang", "ACK only", { since = "6.18" })
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "the rest of the answer\n"
    lab:expect(server):call("write"):returns(23)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("getsockopt"):gives "EPIPE"
  end,
}
