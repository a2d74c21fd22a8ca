-- A flood of SYNs from nowhere fills the queue of half-open connections. Without cookies the kernel
-- has no place to remember an honest client's SYN, and ignores it, for as long as the flood lasts.
return {
  title = "SYN flood, without cookies",
  asks = "What does an honest client see of a server whose queue of half-open connections is full?",
  source = "RFC 4987 section 3; ip-sysctl, tcp_syncookies, tcp_max_syn_backlog; listen(2)",
  here = "Its SYNs are ignored, and connect fails with ETIMEDOUT. No more than the backlog and one "
    .. "half-open connections are kept. Any Linux with tcp_syncookies = 0.",
  why = "tcp_conn_request() drops a SYN when inet_csk_reqsk_queue_is_full() and no cookie may be "
    .. "sent. Each half-open connection stays for as long as its SYN,ACK is sent again "
    .. "(tcp_synack_retries), 63 s by default: a few SYNs a second keep a server shut.",
  tags = { "connect", "flood", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, { sysctls = {
      ["net.ipv4.tcp_syncookies"] = 0,
      ["net.ipv4.tcp_synack_retries"] = 5,
    } })
    local backlog = 3
    kodos:dnc("--backlog", backlog, "-l", 8080)
    lab:cut("kodos > krusty")
    local flood = krusty:dnc("--repl")
    for _ = 0, backlog do
      flood:type("socket " .. lab.family .. " nonblock\nconnect kodos 8080\n")
      lab:expect_packet("kodos > krusty", "tcp[tcpflags] == tcp-syn|tcp-ack", { fate = "lost" })
      lab:expect(kodos):in_state "SYN_RECV"
    end

    local honest = kang:dnc(kodos, 8080)
    lab:expect(honest):in_state "SYN_SENT"
    local patience = lab:timer("connect_timeout", kang) * 1.5 + 2 * lab.second
    lab:expect(honest):within(patience):call("connect"):fails "ETIMEDOUT"
    lab:expect(honest):exits(1)
  end,
}
