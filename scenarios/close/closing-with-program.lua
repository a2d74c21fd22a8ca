-- Both ends shut down at once, and the path is gone before either FIN is acknowledged. The
-- programs have read their end of stream; that their own never arrived is only in SO_ERROR.
return {
  title = "CLOSING, and the path is gone",
  asks = "How does a program learn that its last data was not acknowledged, after it read 0?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout), Figure 13; tcp_write_err()",
  here = "read says 0; after tcp_retries2's time poll adds ERR, and SO_ERROR is ETIMEDOUT, once. "
    .. "Linux, measured on 6.18.",
  why = "The FIN in flight is retransmitted in CLOSING as in FIN_WAIT1. tcp_recvmsg_locked() looks "
    .. "at SOCK_DONE before sk_err: read has nothing but 0 to say after a FIN.",
  tags = { "close", "half-close", "partition" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local gives_up_after = lab:timer("retransmission_timeout", client)
    lab:cut("kang > kodos")
    client:type "shutdown wr\n"
    local shutdown = lab:expect(client):call("shutdown"):returns(0)
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSING"
    client:type "read\n"
    lab:expect(client):call("read"):returns(0)
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - shutdown.t, gives_up_after, "giving up")
    client:type "poll in\nread\ngetsockopt SO_ERROR\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "ETIMEDOUT"
  end,
}
