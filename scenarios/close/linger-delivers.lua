-- With SO_LINGER and a time, close(2) returns when the peer has acknowledged the data and the FIN.
-- The peer's kernel sends that acknowledgment, even while the peer's program hangs.
return {
  title = "SO_LINGER {1, 60}, peer frozen",
  asks = "Does close(2) with SO_LINGER wait until the peer's program has read everything?",
  source = "socket(7), SO_LINGER; RFC 1122 section 4.2.2.13",
  here = "No. The peer's program is frozen, and close returns 0 as soon as the peer's kernel has "
    .. "acknowledged the FIN, after one round trip. The state is FIN_WAIT2. Measured on Linux "
    .. "6.18.",
  why = "TCP acknowledges what the kernel has received, not what the program has read. To know "
    .. "that the peer's program has the data, read an answer from it before you close.",
  tags = { "close", "options" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl", "--linger", 60 } }

    server:freeze()
    client:type "write goodbye\nclose\n"
    lab:expect(client):call("write"):returns(7)
    local fin = lab:expect_packet("kang > kodos", "FIN")
    local answer = lab:expect_packet("kodos > kang", "ACK only")
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect_time(close.t - fin.t, answer.t - fin.t, "close(2)")
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):in_state "CLOSE_WAIT"
  end,
}
