-- A forged "fragmentation needed" could make a sender use more and smaller packets. So Linux
-- believes such an error only if it quotes a segment that is in flight.
return {
  title = "A forged path MTU",
  asks = "Can an attacker who does not see my packets shrink them with an ICMP error?",
  source = "RFC 5927 section 7.2; RFC 8201 section 4",
  here = "Not without a sequence number that is in flight. Linux ignores an error that quotes any "
    .. "other number, and segments keep their size. It believes an error with a valid number, "
    .. "whoever sent it, for ten minutes (net.ipv4.route.mtu_expires). Any Linux version.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c and tcp_v6_err() accept the MTU only if the quoted "
    .. "number is between SND.UNA and SND.NXT. An idle connection has a single such number; a busy "
    .. "one has one for each byte in flight.",
  tags = { "paths", "icmp", "mtu" },

  run = function(lab)
    local mtu, ethernet = 1300, 14
    local client, server = lab:connected()
    local conn = lab:connection(client)
    local too_long = "greater " .. mtu + ethernet + 1
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    local function send_error(seq)
      lab:icmp {
        error = "fragmentation-needed", mtu = mtu, about = conn, from = router, seq = seq,
      }
    end

    send_error(conn.snd_nxt + 1000)
    send_error(conn.snd_una - 1)
    client:type(("x"):rep(1400) .. "still large\n")
    lab:expect_packet("kang > kodos", too_long)
    lab:expect(server):prints "still large"

    send_error(conn.snd_una)
    client:type(("x"):rep(1400) .. "cut in two\n")
    lab:expect(server):prints "cut in two"
    local first = lab:expect_packet("kang > kodos", "greater 1000")
    lab:check(first.length <= mtu - 40, "the segment fits the forged MTU", first.length)
  end,
}
