-- The network was down for longer than one kernel's patience, and is back. One side has given up
-- and forgotten; the other had nothing to send and believes in its connection.
return {
  title = "A partition outlives one side's patience",
  asks = "What do both ends have of a connection when only one of them tried to write while the "
    .. "network was down?",
  source = "RFC 9293 section 3.5.1 (half-open connections); RFC 1122 section 4.2.3.5",
  here = "The writer: ETIMEDOUT, nothing left. The other: ESTABLISHED, until it writes: then RST, "
    .. "ECONNRESET. Linux, measured on 6.18.",
  why = "A kernel that gives up after tcp_retries2 tells its program, and nobody else: a RST would "
    .. "be lost as well (tcp_write_err() sends none). The connection is half-open, as after a "
    .. "power cycle.",
  tags = { "power", "partition", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local partition = lab:cut("* > *")
    local patience = lab:timer("retransmission_timeout", client) * 1.5 + 2 * lab.second
    client:type "can you hear me?\n"
    lab:expect(client):call("write"):returns(17)
    lab:expect(client):within(patience):call("read"):fails "ETIMEDOUT"
    lab:expect(kang):has_no_connection()
    partition:lift()
    lab:idle(20 * lab.minute)
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang, are you there?\n"
    lab:expect(server):call("write"):returns(21)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
