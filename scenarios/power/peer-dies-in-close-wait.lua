-- The server has half-closed, and then its host dies. The client's kernel retransmits the last data
-- until it gives up. read still returns 0 and never reports the error.
return {
  title = "Peer dies after its half-close",
  asks = "How does a program in CLOSE_WAIT find out that its answer never arrived?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); tcp_write_err()",
  here = "From poll, which reports IN|ERR|HUP after the time that tcp_retries2 allows. read still "
    .. "returns 0, SO_ERROR is ETIMEDOUT, and the next write fails with EPIPE. Measured on Linux "
    .. "6.18.",
  why = "tcp_write_err() sets ETIMEDOUT in every state. read checks for end of stream (SOCK_DONE, "
    .. "which the FIN set) before it checks sk_err.",
  tags = { "power", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl", "--ignore-sigpipe" }, server = { "--repl" },
    })

    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    kodos:power_off()
    local gives_up_after = lab:timer("r2", client)
    client:type "write answer\n"
    local write = lab:expect(client):call("write"):returns(6)
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - write.entered, gives_up_after, "giving up")
    client:type "poll 0s\nread\ngetsockopt SO_ERROR\nwrite more\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "ETIMEDOUT"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
