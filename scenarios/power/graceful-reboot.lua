-- A host that is shut down in good order stops its programs first, so its kernel sends FINs while
-- it still can. A program that keeps its socket after end of stream then meets the new kernel.
return {
  title = "Graceful reboot",
  asks = "What does the other end see of a reboot, compared with a power cycle?",
  source = "RFC 9293 sections 3.6 and 3.5.1 (half-open connections)",
  here = "FIN first: read 0, CLOSE_WAIT. After the reboot a write succeeds and is answered with "
    .. "RST: poll ERR|HUP, read 0, SO_ERROR EPIPE; then EPIPE. Linux, measured on 6.18.",
  why = "SIGTERM ends the programs, their kernel closes their sockets. The kernel that comes back "
    .. "has no memory of the connection's FIN_WAIT2, and answers like to any segment for nobody. "
    .. "tcp_reset() in CLOSE_WAIT sets EPIPE, not ECONNRESET.",
  tags = { "power", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--ignore-sigpipe", "--on-error", "keep", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):call("accept"):returns() -- before that, its end would be a RST

    server:stop() -- what a shutdown begins with; the network goes down much later
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    kodos:reboot()
    lab:expect(kodos):has_no_connection()

    client:type "are you back?\n"
    lab:expect(client):call("write"):returns(14)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    client:type "hello?\n"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
