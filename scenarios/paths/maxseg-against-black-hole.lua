-- A path silently drops large packets. A program can avoid them: if it sets TCP_MAXSEG before
-- connect, the value goes into the SYN, and both directions use small segments.
return {
  title = "TCP_MAXSEG against a black hole",
  asks = "What can a program do about a path that drops large packets?",
  source = "tcp(7), TCP_MAXSEG; RFC 9293 section 3.7.1; RFC 2923 section 2.1",
  here = "It sets TCP_MAXSEG to 1200 before connect. The SYN announces an MSS of 1200, and neither "
    .. "end sends more than 1188 bytes of data per segment; timestamps take the other 12. All data "
    .. "arrives. Linux 2.6.28 or newer announces the value.",
  why = "tcp_connect_init() announces user_mss as the MSS, and tcp_mss_clamp() limits the sender "
    .. "to it. Without the option kang sends segments of 1448 bytes, which are lost (see tcplab "
    .. "explain path-mtu-black-hole).",
  tags = { "paths", "mtu", "mss", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:mtu("* > *", { mtu = 1300 })
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl")
    local mss = 1200
    client:type("socket\nsetsockopt TCP_MAXSEG " .. mss .. "\n")
    client:type "connect kodos 8080\ngetsockopt TCP_MAXSEG\n"
    local syn = lab:expect_packet("kang > kodos", "SYN")
    lab:check(syn.summary:find("mss " .. mss .. ",", 1, true), "the SYN has that MSS", syn.summary)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local data = mss - 12 -- timestamps take 12 bytes (RFC 7323)
    lab:expect(client):call("getsockopt", "TCP_MAXSEG"):gives(data)

    local full = "tcp[tcpflags] & tcp-syn = 0 and greater 1000"
    local function expect_all(from, to, direction)
      from:type "fill 5000\n"
      local segment = lab:expect_packet(direction, full)
      lab:check(segment.length == data, "a segment is as long as the MSS allows", segment.length)
      to:type "recv 5000 waitall\n"
      lab:expect(to):call("recv"):returns(5000)
    end
    expect_all(client, server, "kang > kodos")
    expect_all(server, client, "kodos > kang")
  end,
}
