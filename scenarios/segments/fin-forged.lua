-- A forged FIN ends a stream as politely as the peer would: what was read looks complete. That is
-- why TLS has its own end of stream (close_notify): a truncated answer must not look whole.
return {
  title = "A forged FIN",
  asks = "Can somebody else end a stream so that it looks as if the peer had ended it?",
  source = "RFC 9293 section 3.10.7.4, eighth check; RFC 8446 section 6.1",
  here = "Yes: read returns 0. The peer knows nothing, and stays ESTABLISHED; but its next data "
    .. "overlaps the FIN, and that ends the connection: it gets a RST, ECONNRESET; here SO_ERROR "
    .. "is EPIPE, after the end of the stream that was read. Any Linux.",
  why = "A FIN needs the same numbers as data, and no more. Data that begins before RCV.NXT and "
    .. "goes beyond it, when the stream has ended, cannot be: tcp_rcv_state_process() in "
    .. "net/ipv4/tcp_input.c resets (RFC 1122 section 4.2.2.13).",
  tags = { "segments", "fin" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    lab:connection(client):fin()
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(client):call("read"):returns(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "the rest of the answer\n"
    lab:expect(server):call("write"):returns(23)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("getsockopt"):gives "EPIPE"
  end,
}
