-- One end closes while the other writes: on the wire the FIN and the data pass each other. To the
-- closer's kernel that is data which nobody will ever read.
return {
  title = "Data crosses the FIN",
  asks = "What happens to data that is on its way when its reader closes?",
  source = "RFC 9293 section 3.6.1; RFC 1122 section 4.2.2.13; RFC 2525 section 2.17",
  here = "It is answered with RST, though the closer had read all that was there when it closed, "
    .. "and had sent a FIN. write had returned 5; read says ECONNRESET, and nothing of the FIN. "
    .. "Any Linux.",
  why = "tcp_rcv_state_process() in FIN_WAIT1, without a program (RCV_SHUTDOWN): data beyond what "
    .. "was received is TCPAbortOnData. RFC 1122: close(2) is of both directions, and data that "
    .. "is lost should be told. shutdown(2) first, and close at the peer's FIN, is the way around.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(server):call("poll"):is_entered()

    local fin = "tcp[tcpflags] & tcp-fin != 0"
    lab:hold("kang > kodos", fin)
    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect_packet("kang > kodos", fin, { fate = "held" })
    lab:expect(client):in_state "FIN_WAIT1"
    server:type "late\n"
    lab:expect(server):call("write"):returns(5)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
