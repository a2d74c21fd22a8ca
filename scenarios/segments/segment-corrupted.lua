-- A bit flips on the way. The receiver's kernel drops the segment and says nothing to anybody, so
-- that damage is the same as loss; only a counter knows.
return {
  title = "A segment is damaged on its way",
  asks = "What does a receiver do with a segment whose checksum is wrong?",
  source = "RFC 9293 section 3.1 (checksum); RFC 1122 section 4.2.2.7",
  here = "It drops it in silence, and counts it (InCsumErrors, nstat's TcpInCsumErrors). The "
    .. "sender sends it again, as if it was lost. Any Linux.",
  why = "Where the checksum does not match, nothing in the segment can be believed, not even "
    .. "whose it is: tcp_v4_rcv() and tcp_v6_rcv() look at it before they look for a socket.",
  tags = { "segments", "corruption", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local data = "tcp[tcpflags] & tcp-push != 0"
    lab:corrupt("kang > kodos", data, { count = 1 })
    client:type "hello, kodos\n"
    local damaged = lab:expect_packet("kang > kodos", data)
    lab:never_packet(0.05, "kodos > kang")
    local again = lab:expect_packet("kang > kodos", data)
    lab:expect_time(again.t - damaged.t, lab:timer("tail_loss_probe", client), "the next one")
    lab:expect(server):prints "hello, kodos"

    local counters = kodos:run("awk", '/^Tcp: [0-9]/ { print "InCsumErrors", $NF }',
      "/proc/net/snmp")
    lab:expect(counters):prints "InCsumErrors 1\n"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
