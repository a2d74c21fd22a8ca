-- The other program has closed, ours writes on. Its kernel is still in FIN_WAIT2, but nobody is
-- there who could ever read: the data is answered with RST at once, not after tcp_fin_timeout.
return {
  title = "Write to an orphan's FIN_WAIT2",
  asks = "What happens to data that is sent to a connection whose other program has closed it?",
  source = "RFC 1122 section 4.2.2.13; RFC 9293 section 3.6.1 (half-close); tcp(7)",
  here = "The write succeeds, the RST comes back at once: poll ERR|HUP, read 0, SO_ERROR EPIPE; "
    .. "the next write EPIPE and SIGPIPE. Linux, measured on 6.18.",
  why = "tcp_rcv_state_process(): data beyond the FIN point in FIN_WAIT1 or FIN_WAIT2 on a socket "
    .. "with RCV_SHUTDOWN counts TCPAbortOnData and is answered with RST. Our side is in "
    .. "CLOSE_WAIT, for which tcp_reset() sets EPIPE.",
  tags = { "close", "reset", "orphan" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fin_timeout"] = "60" } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--ignore-sigpipe", "--on-error", "keep", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:stop "SIGINT"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"

    client:type "anybody there?\n"
    lab:expect(client):call("write"):returns(15)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    client:type "anybody?\n"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
