-- A segment that does not fit is dropped without a word to anybody. Its sender sees an ACK, or
-- nothing; the program sees nothing. The kernel knows why, and its tracepoints tell.
return {
  title = "Why the kernel drops it",
  asks = "A segment reaches the host, and no program ever sees of it: what was wrong with it?",
  source = "RFC 9293 section 3.10.7.4; Linux, include/net/dropreason-core.h; RFC 7323 section 5",
  here = "The kernel has a word for each: TCP_RFC7323_PAWS for an old timestamp, "
    .. "TCP_INVALID_SEQUENCE beyond the window, TCP_OLD_SEQUENCE before it, TCP_INVALID_SYN, "
    .. "TCP_ACK_UNSENT_DATA, and NO_SOCKET where nobody listens, with the RST's own reason. "
    .. "Measured on Linux 6.18; most words came with Linux 5.18, that of the RST with 6.10.",
  why = "Each place in the receive path that gives a segment up says why "
    .. "(tcp_validate_incoming(), tcp_ack() in net/ipv4/tcp_input.c), and the tracepoint "
    .. "skb:kfree_skb shows it: tcplab run --kernel does this for every scenario. Outside of a "
    .. "lab, dropwatch(1) and perf trace -e skb:kfree_skb do.",
  tags = { "segments", "tracepoints" },
  needs = { "kernel 6.10", "tracepoints" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)
    -- kodos never sent these, and would dispute with kang what they were.
    local cut = lab:cut("kang > kodos", "tcp")

    conn:data("from yesterday\n", { age = 24 * lab.hour })
    lab:expect(client):kernel("drop", "TCP_RFC7323_PAWS")
    conn:data("from far ahead\n", { seq = conn.rcv_nxt + conn.rcv_wnd + 1000 })
    lab:expect(client):kernel("drop", "TCP_INVALID_SEQUENCE")
    conn:ack { seq = conn.rcv_nxt - 1000 }
    lab:expect(client):kernel("drop", "TCP_OLD_SEQUENCE")
    conn:syn { seq = conn.rcv_nxt }
    lab:expect(client):kernel("drop", "TCP_INVALID_SYN")
    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect(client):kernel("drop", "TCP_ACK_UNSENT_DATA")
    lab:never(client, 0.1):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"

    cut:lift()
    local other = kang:dnc(kodos, 8081)
    lab:expect(kodos):kernel("reset", "NO_SOCKET")
    lab:expect(kodos):kernel("drop", "NO_SOCKET")
    lab:expect(other):kernel("error", "ECONNREFUSED")
    lab:expect(other):call("connect"):fails "ECONNREFUSED"
  end,
}
