-- "SACK Panic" (CVE-2019-11477 to 11479): a peer announces a tiny MSS, and the server must cut its
-- answer into forty times as many packets. That costs the server time and memory, and once crashed
-- kernels.
return {
  title = "A peer announces a tiny MSS",
  asks = "How small can a peer make the segments that it receives?",
  source = "RFC 9293 section 3.7.1; ip-sysctl, tcp_min_snd_mss; CVE-2019-11479",
  here = "36 bytes of data by default. An announced MSS of 1 counts as tcp_min_snd_mss, 48, of "
    .. "which timestamps take 12. With tcp_min_snd_mss = 500, 488 bytes of data are left. Linux "
    .. "5.2 or newer.",
  why = "RFC 9293 sets no minimum for the announced MSS, so __tcp_mtu_to_mss() in "
    .. "net/ipv4/tcp_output.c has its own. 48 is enough for 40 bytes of options and 8 of data. "
    .. "Such a stream costs the sender processor time and memory, hence the sysctl.",
  tags = { "segments", "mss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- The MSS is the SYN's first option: tcp[22] and tcp[23] hold its value.
    for at, value in pairs { [22] = 0, [23] = 1 } do
      lab:corrupt("kang > kodos", "SYN",
        { offset = at, value = value, checksum = "fixed" })
    end
    local timestamps = 12
    local minimum = "net.ipv4.tcp_min_snd_mss"
    local function expect_tiny_segments(port)
      local server = kodos:dnc("--repl", "-l", port)
      kang:dnc(kodos, port)
      lab:expect(server):in_state "ESTABLISHED"
      server:type "fill 2000\n"
      local from_port = ("tcp src port %d and tcp[tcpflags] & tcp-ack != 0"):format(port)
      local segment
      repeat segment = lab:expect_packet("kodos > kang", from_port) until segment.length
      local largest = tonumber(kodos:sysctl(minimum)) - timestamps
      lab:check(segment.length == largest, "a segment has the smallest MSS", segment.length)
    end

    expect_tiny_segments(8080)
    kodos:sysctl(minimum, 500)
    expect_tiny_segments(8081)
  end,
}
