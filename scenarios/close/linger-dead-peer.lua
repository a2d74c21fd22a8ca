-- SO_LINGER with seconds makes close(2) wait until the peer has acknowledged everything. Where
-- the peer is dead that is as long as the program said, and then close says 0 all the same.
return {
  title = "SO_LINGER {1, 2}, peer dead",
  asks = "How long does close(2) block with SO_LINGER when the other host is dead?",
  source = "socket(7), SO_LINGER; POSIX, close(); RFC 9293 section 3.10.4 (CLOSE)",
  here = "For the linger time, 2 s here, and then it returns 0: that the data was not delivered is "
    .. "not said. The socket is then an orphan in FIN_WAIT1, and ends as such. Linux, measured on "
    .. "6.18.",
  why = "sk_stream_wait_close() sleeps until the state is beyond FIN_WAIT1, CLOSING and LAST_ACK, "
    .. "or the linger time is over. tcp_close() returns nothing, so inet_release() has nothing but "
    .. "0 to say. The kernel goes on retransmitting after that (tcp_orphan_retries).",
  tags = { "close", "power", "options" },

  run = function(lab)
    local linger = 2 -- seconds, as SO_LINGER has them
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", "--linger", linger, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

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
