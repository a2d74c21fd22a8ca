-- TCP_NOTSENT_LOWAT limits how much unsent data the kernel holds, so that a program can decide late
-- what to send. But poll and write apply different limits.
return {
  title = "TCP_NOTSENT_LOWAT",
  asks = "Why does poll see no room to write when write would succeed?",
  source = "ip-sysctl, tcp_notsent_lowat; tcp(7); Linux commit c9bee3b7fdec",
  here = "Because their limits differ: write wants the unsent data below TCP_NOTSENT_LOWAT, poll "
    .. "below half of it. Here the option is 2000 and 1500 bytes are unsent: poll does not report "
    .. "OUT, but a non-blocking write succeeds. Once 2000 bytes are unsent, write fails with "
    .. "EAGAIN, although the send buffer is far from full. Linux 3.12 or newer, measured on 6.18.",
  why = "poll and sk_stream_write_space() use half the limit so that a program does not wake up "
    .. "for every segment. __tcp_stream_memory_free() makes the difference: it shifts the unsent "
    .. "amount by `wake`, which is 1 for poll and 0 for write.",
  tags = { "options", "poll", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl", "--rcvbuf", 4096 },
    })
    local acks = lab:cut("kodos > kang", "tcp") -- so that only the first window is sent
    local window = lab:connection(kodos).rcv_wnd

    client:type("setsockopt TCP_NOTSENT_LOWAT 2000\nnonblock on\nfill " .. window + 1500 .. "\n")
    lab:expect(client):call("write"):returns(window + 1500)
    client:type "ioctl outqnsd\npoll out 0.2s\nwrite more\n"
    lab:expect(client):call("ioctl", "SIOCOUTQNSD"):gives(1500)
    lab:expect(client):call("poll"):returns(0)
    lab:expect(client):call("write"):returns(4)
    -- tcp_sendmsg_locked() looks at the mark only when it needs a new buffer. So one write after a
    -- short one may still find room in the last buffer.
    client:type(("fill 100000\n"):rep(4) .. "ioctl outq\n")
    lab:expect(client):call("write"):fails "EAGAIN"
    local unacknowledged = lab:expect(client):call("ioctl", "SIOCOUTQ"):returns().value

    acks:remove()
    server:type(("recv %d waitall\n"):format(unacknowledged))
    client:type "poll out\n"
    lab:expect(client):call("poll"):reports "OUT"
  end,
}
