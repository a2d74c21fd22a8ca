-- "SACK Panic" (CVE-2019-11477 to 11479): a peer that announces a tiny MSS has a server cut its
-- answer into crumbs, forty times as many packets, and more than its bookkeeping had foreseen.
return {
  title = "A peer that asks for crumbs",
  asks = "How small can a peer make the segments that it is sent?",
  source = "RFC 9293 section 3.7.1; ip-sysctl, tcp_min_snd_mss; CVE-2019-11479",
  here = "An MSS of 1 is taken for tcp_min_snd_mss, 48: with 12 octets of timestamps that leaves "
    .. "36 of data in each segment. With 500 it leaves 488. Linux 5.2 or newer.",
  why = "__tcp_mtu_to_mss() in net/ipv4/tcp_output.c: RFC 9293 has no least MSS that may be "
    .. "announced. 48 is what options can take (40) and 8 of data; such a stream costs the sender "
    .. "processor time and memory, hence the sysctl.",
  tags = { "segments", "mss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- The MSS is the SYN's first option: its value is tcp[22] and tcp[23].
    for at, value in pairs { [22] = 0, [23] = 1 } do
      lab:corrupt("kang > kodos", "tcp[tcpflags] & tcp-syn != 0",
        { offset = at, value = value, checksum = "mended" })
    end
    local timestamps = 12
    local least = "net.ipv4.tcp_min_snd_mss"
    local function expect_crumbs(port)
      local server = kodos:dnc("--repl", "-l", port)
      kang:dnc(kodos, port)
      lab:expect(server):in_state "ESTABLISHED"
      server:type "fill 2000\n"
      local from_port = ("tcp src port %d and tcp[tcpflags] & tcp-ack != 0"):format(port)
      local segment
      repeat segment = lab:expect_packet("kodos > kang", from_port) until segment.length
      local largest = tonumber(kodos:sysctl(least)) - timestamps
      if segment.length ~= largest then error(segment.length .. " octets, not " .. largest) end
    end

    expect_crumbs(8080)
    kodos:sysctl(least, 500)
    expect_crumbs(8081)
  end,
}
