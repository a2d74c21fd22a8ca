-- No host, cable or program fails. One program ends, and the other keeps its socket. After a minute
-- one kernel has forgotten the connection, and the other has not: the connection is half-open.
return {
  title = "Broken without a failure",
  asks = "How can a connection break although neither a host nor the network failed?",
  source = "TCP puzzlers, puzzler 3; RFC 9293 section 3.10.7.1; tcp(7), tcp_fin_timeout",
  article = "FIN_WAIT_2 and CLOSE_WAIT. A minute later the closer's side is gone. Then write "
    .. "returns 22, poll returns 0x10, and read fails with ECONNRESET.",
  here = "As in the article, one kernel drops its side in FIN_WAIT2, and the other side stays in "
    .. "CLOSE_WAIT. write returns 22, and poll reports ERR|HUP (0x18), plus IN if the program asks "
    .. "for it. But read returns 0, SO_ERROR is EPIPE, and the next write raises SIGPIPE. Measured "
    .. "on Linux 6.18.",
  why = "dnc keeps its socket after end of stream, so its side stays in CLOSE_WAIT. The other "
    .. "side has no program left. The kernel drops an orphan in FIN_WAIT2 after tcp_fin_timeout "
    .. "and answers later segments with a RST. tcp_reset() in net/ipv4/tcp_input.c sets EPIPE in "
    .. "CLOSE_WAIT, and ECONNRESET in other synchronized states.",
  tags = { "puzzlers", "close" },
  quiz = {
    asks = "Kodos's program ended long ago; kang's program kept its socket (CLOSE_WAIT). Kodos's "
      .. "kernel has forgotten the connection. Kang's program writes, and poll reports ERR|HUP. "
      .. "What does read return then?",
    { "0, end of stream", right = true,
      because = "Only SO_ERROR has an error: EPIPE. The next write raises SIGPIPE." },
    { "-1 ECONNRESET",
      because = "The article saw this on illumos. On Linux a RST in CLOSE_WAIT sets EPIPE, not "
        .. "ECONNRESET." },
    { "-1 EPIPE",
      because = "EPIPE is in SO_ERROR. But end of stream came first, and read reports that." },
    { "-1 EAGAIN: there is nothing to read",
      because = "The socket is blocking, and at end of stream read does not wait." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos)

    server:stop "SIGINT"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    local closed = lab:expect(server):in_state "FIN_WAIT2"

    local fin_timeout = lab:timer("fin_timeout", kodos)
    local gone = lab:expect(server):within(fin_timeout * 1.5 + 2 * lab.second):in_state "CLOSED"
    lab:expect_time(gone.t - closed.t, fin_timeout, "the FIN_WAIT2 timeout")
    lab:expect(client):still_in_state "CLOSE_WAIT"

    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):in_state "CLOSED"

    client:type "kodos?\n"
    lab:expect(client):call("write"):is_entered()
    lab:expect(client):killed_by "SIGPIPE"
  end,
}
