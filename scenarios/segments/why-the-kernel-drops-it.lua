-- The kernel drops a segment that does not fit, and reports no error. The sender sees at most an
-- ACK, and the program sees nothing. The kernel's tracepoints show the reason.
return {
  title = "Why the kernel drops a segment",
  asks = "Why does a segment reach the host but no program?",
  source = "RFC 9293 section 3.10.7.4; Linux, include/net/dropreason-core.h; RFC 7323 section 5",
  here = "Because the kernel drops it. It has a drop reason for each case: TCP_RFC7323_PAWS for an "
    .. "old timestamp, TCP_INVALID_SEQUENCE beyond the window, TCP_OLD_SEQUENCE before it, "
    .. "TCP_INVALID_SYN, TCP_ACK_UNSENT_DATA, and NO_SOCKET if no program listens. Each RST that "
    .. "the kernel sends has a reason, too. Measured on Linux 6.18; most drop reasons exist since "
    .. "Linux 5.18, those of RSTs since 6.10.",
  why = "Each place in the receive path that drops a segment gives a reason "
    .. "(tcp_validate_incoming(), tcp_ack() in net/ipv4/tcp_input.c), and the tracepoint "
    .. "skb:kfree_skb reports it. tcplab run --tracepoints shows it for any scenario. Outside the "
    .. "lab, use dropwatch(1) or perf trace -e skb:kfree_skb.",
  tags = { "segments", "tracepoints" },
  needs = { "kernel 6.10", "tracepoints" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)
    -- kodos never sent these segments, and would answer kang's ACKs of them.
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

    cut:remove()
    local refused = kang:dnc(kodos, 8081)
    lab:expect(kodos):kernel("reset", "NO_SOCKET")
    lab:expect(kodos):kernel("drop", "NO_SOCKET")
    lab:expect(refused):kernel("error", "ECONNREFUSED")
    lab:expect(refused):call("connect"):fails "ECONNREFUSED"
  end,
}
