-- The peer had closed its side and its host then died: our last words are retransmitted until the
-- kernel gives up, and read never says so.
return {
  title = "A host that had half-closed dies",
  asks = "How does a program in CLOSE_WAIT learn that its answer never arrived?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); tcp_write_err()",
  here = "poll IN|ERR|HUP after tcp_retries2's time; read says 0 all the same, SO_ERROR is "
    .. "ETIMEDOUT, and the next write EPIPE. Linux, measured on 6.18.",
  why = "tcp_write_err() sets ETIMEDOUT in every state; read gives the end of stream that the FIN "
    .. "had brought (SOCK_DONE) before it looks at sk_err.",
  tags = { "power", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    kodos:power_off()
    local gives_up_after = lab:timer("retransmission_timeout", client)
    client:type "write answer\n"
    local write = lab:expect(client):call("write"):returns(6)
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - write.t, gives_up_after, "giving up")
    client:type "poll 0s\nread\ngetsockopt SO_ERROR\nwrite more\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "ETIMEDOUT"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
