-- A path that swallows large packets and says nothing. Whoever knows it can ask for small ones:
-- what TCP_MAXSEG says before connect goes into the SYN, so that both directions keep to it.
return {
  title = "TCP_MAXSEG against a black hole",
  asks = "What can one program do about a path that swallows large packets?",
  source = "tcp(7), TCP_MAXSEG; RFC 9293 section 3.7.1; RFC 2923 section 2.1",
  here = "setsockopt TCP_MAXSEG 1200 before connect: the SYN announces an MSS of 1200, and neither "
    .. "end sends more than 1188 octets of data: 12 are the timestamps'. All of it arrives. Linux "
    .. "2.6.28 or newer announces it.",
  why = "tcp_connect_init() takes user_mss for the MSS that is announced, and tcp_mss_clamp() for "
    .. "the one that is sent with. Without it 1448 octets are sent, and vanish: tcplab explain "
    .. "path-mtu-black-hole.",
  tags = { "paths", "mtu", "mss", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:mtu("* > *", { mtu = 1300 })
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl")
    local mss = 1200
    client:type("socket " .. lab.family .. "\nsetsockopt TCP_MAXSEG " .. mss .. "\n")
    client:type "connect kodos 8080\ngetsockopt TCP_MAXSEG\n"
    local syn = lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-syn")
    if not syn.summary:find("mss " .. mss .. ",", 1, true) then error(syn.summary) end
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local data = mss - 12 -- without the timestamps, RFC 7323
    lab:expect(client):prints("TCP_MAXSEG " .. data)

    local full = "tcp[tcpflags] & tcp-syn = 0 and greater 1000"
    local function expect_all(from, to, direction)
      from:type "fill 5000\n"
      local segment = lab:expect_packet(direction, full)
      if segment.length ~= data then error("a segment of " .. segment.length .. " octets") end
      to:type "recv 5000 waitall\n"
      lab:expect(to):call("recv"):returns(5000)
    end
    expect_all(client, server, "kang > kodos")
    expect_all(server, client, "kodos > kang")
  end,
}
