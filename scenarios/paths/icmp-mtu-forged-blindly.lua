-- Whoever can make a sender believe in a narrow path makes it send more and smaller packets. What a
-- router says must therefore quote a packet that is really on its way.
return {
  title = "A forged path MTU",
  asks = "Can somebody who does not see my packets make them smaller with an ICMP error?",
  source = "RFC 5927 section 7.2, RFC 8201 section 4",
  here = "Not without a sequence number that is in flight: an error that quotes another is "
    .. "ignored, and segments stay as large as they are. One with the right number is believed, "
    .. "whoever sent it, for ten minutes (net.ipv4.route.mtu_expires). Any Linux.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c and tcp_v6_err() look for the quoted number between "
    .. "SND.UNA and SND.NXT before they take the MTU over. An idle connection has a single such "
    .. "number; one that sends has as many as it has in flight.",
  tags = { "paths", "icmp", "mtu" },

  run = function(lab)
    local mtu, ethernet = 1300, 14
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local conn = lab:connection(client)
    local too_long = "greater " .. mtu + ethernet + 1
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    local function says(seq)
      lab:icmp {
        error = "fragmentation-needed", mtu = mtu, about = conn, from = router, seq = seq,
      }
    end

    says(conn.snd_nxt + 1000)
    says(conn.snd_una - 1)
    client:type(("x"):rep(1400) .. "still large\n")
    lab:expect_packet("kang > kodos", too_long)
    lab:expect(server):prints "still large"

    says(conn.snd_una)
    client:type(("x"):rep(1400) .. "cut in two\n")
    lab:expect(server):prints "cut in two"
    local first = lab:expect_packet("kang > kodos", "greater 1000")
    if first.length > mtu - 40 then error("it sends " .. first.length .. " octets at once") end
  end,
}
