-- A close that is not a good-bye. The program was done and closed its socket, but bytes of the
-- peer lay unread in its kernel: the kernel does not send FIN, which would say "I have had all",
-- but RST. HTTP servers that answer before they have read the request meet this.
return {
  title = "Close with unread data",
  asks = "Why does the peer see ECONNRESET although the other program simply closed its socket?",
  source = "RFC 2525 section 2.17; RFC 1122 section 4.2.2.13; RFC 9293 section 3.6.1",
  here = "close(2) says 0, and its kernel sends RST, ACK in place of FIN. The peer: poll "
    .. "IN|ERR|HUP, read ECONNRESET. No TIME_WAIT on either side. Linux since 2.4.",
  why = "Data that was received and acknowledged will never be read: the peer must not believe "
    .. "that it was. tcp_close() (net/ipv4/tcp.c) looks into the receive queue; where something is "
    .. "left it counts TCPAbortOnClose, sends a RST and is CLOSED at once.",
  tags = { "close", "reset" },
  quiz = {
    asks = "A program has received data, and closes without reading it. What does its kernel "
      .. "send?",
    { "RST", right = true },
    { "FIN: close is close",
      because = "A FIN would say that all is well, and the peer would believe that its data "
        .. "was read." },
    { "Nothing, until the data has been read",
      because = "Nobody can read it any more: the descriptor is closed." },
    { "FIN, and RST only if the peer goes on to write",
      because = "That is what comes when nothing was unread: tcplab explain write-to-orphan." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "who reads this?\n"
    lab:expect(client):call("write"):returns(16)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")

    server:type "close\n"
    lab:expect(server):call("close"):returns(0)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-rst|tcp-ack")
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(kodos):has_no_connection()
    lab:expect(kang):has_no_connection()
  end,
}
