-- An orderly shutdown stops the programs first, and the kernel sends FINs while the network still
-- works. A program that keeps its socket after end of stream and writes later gets a RST: the
-- rebooted kernel does not know the connection.
return {
  title = "Graceful reboot",
  asks = "What does the other end see of a reboot, compared with a power cycle?",
  source = "RFC 9293 sections 3.6 and 3.5.1 (half-open connections)",
  here = "A FIN first: read returns 0, and the state is CLOSE_WAIT. After the reboot a write "
    .. "succeeds and is answered with a RST: poll reports ERR|HUP, read returns 0, and SO_ERROR "
    .. "is EPIPE. The next write fails with EPIPE. Measured on Linux 6.18.",
  why = "SIGTERM ends the programs, and their kernel closes their sockets. The rebooted kernel "
    .. "does not know the connection that was in FIN_WAIT2, and answers the segment with a RST. "
    .. "In CLOSE_WAIT tcp_reset() sets EPIPE, not ECONNRESET.",
  tags = { "power", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--ignore-sigpipe", "--on-error", "keep" },
    })

    server:stop() -- a shutdown stops programs first, and the network much later
    lab:expect_packet("kodos > kang", "FIN")
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect_packet("kang > kodos", "ACK only")
    kodos:reboot()
    lab:expect(kodos):has_no_connection()

    client:type "are you back?\n"
    lab:expect(client):call("write"):returns(14)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    client:type "hello?\n"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
