-- Each side writes a lot before it reads. Both receive buffers fill up, both writes block, and each
-- program waits for the other to read. Tests with small messages never show this deadlock.
return {
  title = "Both write, nobody reads",
  asks = "How can two healthy programs on a healthy network block each other forever?",
  source = "RFC 9293 section 3.8.6 (window management); tcp(7)",
  here = "If both write a lot before they read. Then both programs block in write(2), both windows "
    .. "are zero, and both connections stay ESTABLISHED. Each end answers the other's probes, so "
    .. "nothing times out. Measured on Linux 6.18.",
  why = "write(2) blocks while the send buffer is full. It drains only when the peer's receive "
    .. "buffer has room, which needs the peer to read. TCP sends zero-window probes for as long as "
    .. "the peer answers them (tcp_probe_timer()).",
  tags = { "windows" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl", "--rcvbuf", 4096, "--sndbuf", 4096 },
      server = { "--repl", "--rcvbuf", 4096, "--sndbuf", 4096 },
    }

    client:type "fill 1000000\nread\n"
    server:type "fill 1000000\nread\n"
    lab:expect(client):call("write"):is_entered()
    lab:expect(server):call("write"):is_entered()
    lab:expect_packet("kodos > kang", "zero window")
    lab:expect_packet("kang > kodos", "zero window")
    lab:wait(1.2 * lab:timer("r2", client))
    lab:never(client, 0.1):call("write"):returns()
    lab:never(server, 0.1):call("write"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
