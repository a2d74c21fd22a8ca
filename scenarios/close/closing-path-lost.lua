-- Both ends shut down at once, and one direction of the path fails before its FIN arrives. The
-- program has already read end of stream. Only SO_ERROR reports that its own FIN never arrived.
return {
  title = "The path fails in CLOSING",
  asks = "How does a program that has read 0 find out that its last data was never acknowledged?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout), Figure 13; tcp_write_err()",
  here = "From SO_ERROR. After the time that tcp_retries2 allows, poll reports IN|ERR|HUP. read "
    .. "still returns 0, and SO_ERROR returns ETIMEDOUT once. Measured on Linux 6.18.",
  why = "The kernel retransmits the FIN in CLOSING as it does in FIN_WAIT1. tcp_recvmsg_locked() "
    .. "checks SOCK_DONE, which the peer's FIN set, before sk_err. So read returns 0 and never the "
    .. "error.",
  tags = { "close", "half-close", "partition" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    local gives_up_after = lab:timer("r2", client)
    lab:cut("kang > kodos")
    client:type "shutdown wr\n"
    local shutdown = lab:expect(client):call("shutdown"):returns(0)
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSING"
    client:type "read\n"
    lab:expect(client):call("read"):returns(0)
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - shutdown.entered, gives_up_after, "giving up")
    client:type "poll in\nread\ngetsockopt SO_ERROR\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "ETIMEDOUT"
  end,
}
