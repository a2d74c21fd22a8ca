-- Nothing failed: no host, no cable, no program crashed. One program ended, the other did not
-- close. The connection is then half-open by the kernels' own doing: one side has forgotten it.
return {
  title = "Broken without a failure",
  asks = "How can a connection break although neither a host nor the network failed?",
  source = "TCP puzzlers, puzzler 3; RFC 9293 section 3.10.7.1; tcp(7), tcp_fin_timeout",
  article = "FIN_WAIT_2 and CLOSE_WAIT; a minute later the closer's side is gone. Then write "
    .. "returns 22, poll says 0x10, and read fails with ECONNRESET.",
  here = "The same states. write returns 22; poll reports ERR|HUP (0x18), or with IN when it is "
    .. "asked for; but read returns 0, SO_ERROR is EPIPE, and the next write dies of SIGPIPE. "
    .. "Measured on Linux 6.18.",
  why = "dnc keeps its socket after end of stream, so its side stays in CLOSE_WAIT. The other side "
    .. "has no program any more: an orphan in FIN_WAIT2 is dropped after tcp_fin_timeout, and "
    .. "later segments are answered with RST. tcp_reset() in net/ipv4/tcp_input.c sets EPIPE "
    .. "where the RST finds a socket in CLOSE_WAIT, ECONNRESET in other states.",
  tags = { "puzzlers", "close" },
  quiz = {
    asks = "Kodos's program ended long ago; kang's kept its socket (CLOSE_WAIT). After "
      .. "kodos's kernel has forgotten the connection kang writes, and poll says ERR|HUP. "
      .. "What does read say then?",
    { "0, the end of the stream", right = true,
      because = "Only SO_ERROR has an error, EPIPE; the next write dies of SIGPIPE." },
    { "-1 ECONNRESET",
      because = "So it was on the article's illumos. On Linux a RST that finds CLOSE_WAIT is "
        .. "EPIPE, not ECONNRESET." },
    { "-1 EPIPE",
      because = "EPIPE is in SO_ERROR; but the end of the stream was there first, and read "
        .. "goes by that." },
    { "-1 EAGAIN: there is nothing to read",
      because = "The socket blocks, and at the end of a stream there is nothing to wait for." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:stop "SIGINT"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    local closed = lab:expect(server):in_state "FIN_WAIT2"

    local fin_timeout = lab:timer("fin_timeout", kodos)
    local gone = lab:expect(server):within(fin_timeout * 1.5 + 2 * lab.second):in_state "CLOSED"
    lab:expect_time(gone.t - closed.t, fin_timeout, "the orphan in FIN_WAIT2")
    lab:expect(client):still_in_state "CLOSE_WAIT"

    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):in_state "CLOSED"

    client:type "kodos?\n"
    lab:expect(client):call("write"):is_entered()
    lab:expect(client):killed_by "SIGPIPE"
  end,
}
