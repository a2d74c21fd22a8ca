-- A server answers "too large" and closes without reading the rest of the request. Its close sends
-- a RST, and the client reports "connection reset" instead of the answer. On Linux the answer is
-- still there, if the client reads before it checks for the error.
return {
  title = "Reply, then close with unread data",
  asks = "Is a reply lost when the server closes before it has read the whole request?",
  source = "RFC 2525 section 2.17; RFC 9112 section 9.6 (tear-down of HTTP connections)",
  here = "No. read returns the reply, then ECONNRESET once, then 0. If the client writes before "
    .. "it reads, write gets the ECONNRESET, and the reply still waits for a read. Measured on "
    .. "Linux 6.18.",
  why = "tcp_reset() purges the send queue (tcp_write_queue_purge()) but not the receive queue, "
    .. "and tcp_recvmsg_locked() empties the receive queue before it checks sk_err. Other systems "
    .. "discard received data at a RST. RFC 9112 therefore asks servers to close in steps: "
    .. "shutdown(SHUT_WR), read the rest, close.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    client:type "write \"a request that is too large\"\n"
    lab:expect(client):call("write"):returns(27)
    lab:expect_packet("kang > kodos", "data")
    server:type "read 9\nwrite too-large\nclose\n"
    lab:expect(server):call("read"):returns(9)
    lab:expect(server):call("write"):returns(9)
    lab:expect(server):call("close"):returns(0)
    lab:expect_packet("kodos > kang", "data")
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread\nread\nread\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(9)
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):call("read"):returns(0)
  end,
}
