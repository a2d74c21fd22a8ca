-- A connection may be over before connect(2) has told of it: the SYN,ACK wakes the program, and a
-- RST arrives before it runs.
return {
  title = "Reset before connect returns",
  asks = "What does connect(2) say of a connection that was established and reset at once?",
  source = "connect(2); RFC 9293 section 3.10.7.4, second check",
  here = "It fails with ECONNRESET, which connect(2) does not list: the connection was made, and "
    .. "it was lost. A listener that refuses gives ECONNREFUSED. Any Linux.",
  why = "tcp_reset() takes ECONNREFUSED in SYN_SENT alone; here the state was ESTABLISHED for a "
    .. "moment. inet_stream_connect() finds the socket's error when it wakes, and returns that. A "
    .. "load balancer that accepts first and finds no server then looks like this.",
  tags = { "connect", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "tcp", { fate = "held" })

    client:freeze() -- else it may run between the two, on a machine that is busy enough
    syn_ack:release()
    lab:connection(client):rst()
    client:thaw()
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("connect"):fails "ECONNRESET"
  end,
}
