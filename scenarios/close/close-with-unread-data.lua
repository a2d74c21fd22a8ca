-- A program closes its socket while received data is still unread. Its kernel sends a RST instead
-- of a FIN, because a FIN would suggest that the program had read everything. HTTP servers that
-- answer before they have read the whole request run into this.
return {
  title = "Close with unread data",
  asks = "Why does the peer see ECONNRESET although the program simply closed its socket?",
  source = "RFC 2525 section 2.17; RFC 1122 section 4.2.2.13; RFC 9293 section 3.6.1",
  here = "Because received data was still unread. close(2) returns 0, and the kernel sends RST/ACK "
    .. "instead of FIN. At the peer, poll reports IN|ERR|HUP and read fails with ECONNRESET. "
    .. "Neither side enters TIME_WAIT. Linux 2.4 or newer.",
  why = "The kernel has acknowledged data that no program will ever read, and must tell the peer "
    .. "so. tcp_close() (net/ipv4/tcp.c) checks the receive queue. If it holds data, tcp_close() "
    .. "counts TCPAbortOnClose, sends a RST and enters CLOSED at once.",
  tags = { "close", "reset" },
  quiz = {
    asks = "A program has received data and closes its socket without reading it. What does its "
      .. "kernel send?",
    { "RST", right = true },
    { "FIN, as for any close",
      because = "A FIN would make the peer believe that the program had read its data." },
    { "Nothing, until the data has been read",
      because = "Nobody can read it: the descriptor is closed." },
    { "FIN, and a RST only if the peer writes again",
      because = "That happens if all data was read: see tcplab explain write-to-orphan." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { server = { "--repl" } })

    client:type "who reads this?\n"
    lab:expect(client):call("write"):returns(16)
    lab:expect_packet("kodos > kang", "ACK only")

    server:type "close\n"
    lab:expect(server):call("close"):returns(0)
    lab:expect_packet("kodos > kang", "RST ACK")
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(kodos):has_no_connection()
    lab:expect(kang):has_no_connection()
  end,
}
