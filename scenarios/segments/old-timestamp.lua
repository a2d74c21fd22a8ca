-- Sequence numbers wrap: at 10 Gbit/s, every 3.4 s. A late segment could then fit into the current
-- window. Its timestamp shows that it is old.
return {
  title = "A segment with an old timestamp",
  asks = "What happens to a segment with a valid sequence number but an old timestamp?",
  source = "RFC 7323 section 5 (PAWS)",
  here = "Linux drops it and answers with an ACK. The same kind of segment with a current "
    .. "timestamp is accepted. RSTs are exempt: Linux ignores their timestamps. Any Linux version.",
  why = "tcp_validate_incoming() in net/ipv4/tcp_input.c calls tcp_paws_check(): a timestamp "
    .. "before ts_recent is old. RFC 7323 section 5.2 exempts RSTs, because a peer that has "
    .. "forgotten the connection does not know its timestamp clock.",
  tags = { "segments", "timestamps" },

  run = function(lab)
    local client = lab:connected { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)

    conn:data("from yesterday\n", { age = 24 * lab.hour })
    lab:expect_packet("kang > kodos", "ACK only")
    conn:fin { age = 1 }
    lab:expect_packet("kang > kodos", "ACK only")
    lab:never(client, 0.1):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"

    -- kodos never sent this data: without the cut it would answer each ACK with another.
    lab:cut("kang > kodos", "tcp")
    conn:data "from today\n"
    lab:expect(client):prints "from today"
    conn:rst { age = 24 * lab.hour }
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
