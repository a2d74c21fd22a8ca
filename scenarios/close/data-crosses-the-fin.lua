-- The client closes while the server writes: the FIN and the data cross on the wire. No program is
-- left to read that data, so the client's kernel answers it with a RST.
return {
  title = "Data crosses the FIN",
  asks = "What happens to data that is in flight when its reader closes?",
  source = "RFC 9293 section 3.6.1; RFC 1122 section 4.2.2.13; RFC 2525 section 2.17",
  here = "The reader's kernel answers it with a RST, even if the reader had read everything before "
    .. "it closed. The server's write returns 5, but its next read fails with ECONNRESET, and no "
    .. "read returns 0. Any Linux version.",
  why = "In FIN_WAIT1 without a program (RCV_SHUTDOWN), tcp_rcv_state_process() counts new data as "
    .. "TCPAbortOnData and resets the connection. RFC 1122 says that close may end both "
    .. "directions, and that a RST should then show that data was lost. To avoid the reset, call "
    .. "shutdown(2) first, and close after the peer's FIN.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }
    lab:expect(server):call("poll"):is_entered()

    lab:hold("kang > kodos", "FIN")
    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect_packet("kang > kodos", "FIN", { fate = "held" })
    lab:expect(client):in_state "FIN_WAIT1"
    server:type "late\n"
    lab:expect(server):call("write"):returns(5)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
