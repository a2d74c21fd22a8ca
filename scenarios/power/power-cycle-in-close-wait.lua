-- The server has half-closed, and then its host is power cycled. The client's next segment reaches
-- a kernel that does not know the connection.
return {
  title = "Power cycle of a half-closed peer",
  asks = "What does a program in CLOSE_WAIT see when the peer's host was power cycled?",
  source = "RFC 9293 section 3.10.7.1 (CLOSED); tcp_reset()",
  here = "write succeeds and a RST comes back. SO_ERROR is EPIPE, not ECONNRESET, and the next "
    .. "write fails with EPIPE. read returns 0, as after an orderly close. Measured on Linux 6.18.",
  why = "tcp_reset() sets EPIPE in CLOSE_WAIT: the peer's stream was complete, and only writing "
    .. "has become impossible.",
  tags = { "power", "half-close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl", "--ignore-sigpipe" }, server = { "--repl" },
    })

    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    -- The kernel delays the ACK of the FIN (at most 40 ms). If that ACK reached the new kernel, the
    -- ACK would cause the RST, not the write.
    lab:expect_packet("kodos > kang", "FIN")
    lab:expect_packet("kang > kodos", "ACK only")
    kodos:power_cycle()
    client:type "write answer\n"
    lab:expect(client):call("write"):returns(6)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"
    client:type "read\ngetsockopt SO_ERROR\nwrite more\n"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
