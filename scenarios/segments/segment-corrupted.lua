-- A bit flips on the way. The receiver's kernel drops the segment silently, so corruption looks
-- like loss. Only a counter shows the difference.
return {
  title = "A segment is corrupted on the way",
  asks = "What does a receiver do with a segment whose checksum is wrong?",
  source = "RFC 9293 section 3.1 (checksum); RFC 1122 section 4.2.2.7",
  here = "It drops the segment silently and counts it (InCsumErrors; TcpInCsumErrors in nstat). "
    .. "The sender retransmits it as if it were lost. Any Linux version.",
  why = "If the checksum is wrong, no field of the segment can be trusted, not even its ports. So "
    .. "tcp_v4_rcv() and tcp_v6_rcv() verify the checksum before they look for a socket.",
  tags = { "segments", "corruption", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos)

    lab:corrupt("kang > kodos", "data", { count = 1 })
    local again = lab:hold("kang > kodos", "data", { skip = 1 })
    client:type "hello, kodos\n"
    local write = lab:expect(client):call("write"):returns(13)
    lab:expect_packet("kang > kodos", "data")
    lab:never_packet(0.05, "kodos > kang")
    local retransmission = lab:expect_packet("kang > kodos", "data", { fate = "held" })
    again:remove()
    lab:expect_time(retransmission.t - write.entered, lab:timer("tail_loss_probe", client),
      "the retransmission")
    lab:expect(server):prints "hello, kodos"

    local counters = kodos:run("awk", '/^Tcp: [0-9]/ { print "InCsumErrors", $NF }',
      "/proc/net/snmp")
    lab:expect(counters):prints "InCsumErrors 1\n"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
