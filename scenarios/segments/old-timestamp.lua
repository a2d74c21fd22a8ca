-- Sequence numbers wrap: at 10 Gbit/s every 3.4 seconds. A segment that was late could then fit
-- into the window of another age. Its timestamp says that it is old.
return {
  title = "A segment with an old timestamp",
  asks = "What happens to a segment whose sequence number is right, but whose timestamp is old?",
  source = "RFC 7323 section 5 (PAWS)",
  here = "It is dropped, and answered with an ACK. With a timestamp as new as the last one the "
    .. "same segment is taken. A RST is exempt: its timestamp is not looked at. Any Linux.",
  why = "tcp_paws_discard() in net/ipv4/tcp_input.c: a timestamp that is before ts_recent is of "
    .. "the past; RFC 7323 section 5.2 exempts RSTs, as a peer that has forgotten the connection "
    .. "cannot have its clock.",
  tags = { "segments", "timestamps" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)

    conn:data("from yesterday\n", { age = 24 * lab.hour })
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    conn:fin { age = 1 }
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:never(client, 0.1):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"

    -- kodos never sent this: it would answer each ACK of it with one of its own, without end.
    lab:cut("kang > kodos", "tcp")
    conn:data "from today\n"
    lab:expect(client):prints "from today"
    conn:rst { age = 24 * lab.hour }
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
