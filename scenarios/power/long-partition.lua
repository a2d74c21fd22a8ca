-- The network is down long enough for one kernel to give up. The other side had nothing to send and
-- is still ESTABLISHED: the connection is half-open.
return {
  title = "Partition longer than the timeout",
  asks = "What does each end see after a long partition if only one of them wrote?",
  source = "RFC 9293 section 3.5.1 (half-open connections); RFC 1122 section 4.2.3.5",
  here = "The writer gets ETIMEDOUT, and its connection is gone. The other side stays ESTABLISHED "
    .. "until it writes; then it gets a RST and ECONNRESET. Measured on Linux 6.18.",
  why = "When a kernel gives up after tcp_retries2, it informs only its own program. "
    .. "tcp_write_err() sends no RST, and the partition would drop it anyway. The connection is "
    .. "then half-open, as after a power cycle.",
  tags = { "power", "partition", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos)

    local partition = lab:cut("* > *")
    local time_limit = lab:timer("r2", client) * 1.5 + 2 * lab.second
    client:type "can you hear me?\n"
    lab:expect(client):call("write"):returns(17)
    lab:expect(client):within(time_limit):call("read"):fails "ETIMEDOUT"
    lab:expect(kang):has_no_connection()
    partition:remove()
    lab:idle(20 * lab.minute)
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang, are you there?\n"
    lab:expect(server):call("write"):returns(21)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
