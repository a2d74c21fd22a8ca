-- With SO_LINGER and a time, close(2) waits until the peer has acknowledged everything. If the peer
-- is dead, close waits for the whole time, and then returns 0 as if all were well.
return {
  title = "SO_LINGER {1, 2}, peer dead",
  asks = "How long does close(2) block with SO_LINGER when the other host is dead?",
  source = "socket(7), SO_LINGER; POSIX, close(); RFC 9293 section 3.10.4 (CLOSE)",
  here = "For the linger time, here 2 s. Then it returns 0 and does not report that the data was "
    .. "not delivered. The socket becomes an orphan in FIN_WAIT1. Measured on Linux 6.18.",
  why = "sk_stream_wait_close() sleeps until the state has left FIN_WAIT1, CLOSING and LAST_ACK, "
    .. "or the linger time is over. tcp_close() returns no value, so inet_release() can only "
    .. "return 0. The kernel then keeps retransmitting for as long as tcp_orphan_retries allows.",
  tags = { "close", "power", "options" },

  run = function(lab)
    local linger = 2 -- seconds, the unit of SO_LINGER
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--repl", "--linger", linger } })

    kodos:power_off()
    client:type "write goodbye\nclose\n"
    lab:expect(client):call("write"):returns(7)
    lab:expect(client):in_state "FIN_WAIT1"
    local close = lab:expect(client):within(linger * 2):call("close"):returns(0)
    lab:expect_time(close.t - close.entered, linger, "close(2)")
    lab:expect(client):still_in_state "FIN_WAIT1"
    lab:expect(client):still_runs()
  end,
}
