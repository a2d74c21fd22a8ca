-- A link on the way swallows full segments and no ICMP error says so (path-mtu-black-hole). One
-- setting sees through it, and another says when: after tcp_retries1's time in vain.
return {
  title = "How soon tcp_mtu_probing sees a black hole",
  asks = "How long does a connection hang in a path MTU black hole with tcp_mtu_probing?",
  source = "RFC 4821 section 7.7; ip-sysctl, tcp_mtu_probing, tcp_base_mss, tcp_retries1",
  here = "Until tcp_retries1's time is over; then the data goes on in segments of tcp_base_mss, "
    .. "1024 bytes. Any Linux with tcp_mtu_probing = 1.",
  why = "tcp_write_timeout() calls tcp_mtu_probing() when retransmits_timed_out() by "
    .. "tcp_retries1: the first time it turns probing on for this connection, whose search begins "
    .. "at tcp_base_mss (tcp_mtup_init()); the queued segment is cut to that size.",
  tags = { "windows", "paths", "mtu", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_mtu_probing"] = 1,
        ["net.ipv4.tcp_retries1"] = 1,
        ["net.ipv4.tcp_retries2"] = 8,
      },
    }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    lab:mtu("* > *", { mtu = 1280 })
    local suspects_after = lab:timer("suspicion_timeout", client)
    client:type(string.rep("x", 1391) .. "the end\n")
    local first = lab:expect_packet("kang > kodos", "greater 1300", { fate = "lost" })
    local small = lab:expect_packet("kang > kodos", "greater 1000 and less 1300",
      { fate = "delivered", within = 2 * suspects_after + 1 })
    lab:expect_time(small.t - first.t, suspects_after, "the first smaller segment")
    local base = tonumber(kang:sysctl "net.ipv4.tcp_base_mss")
    if small.length > base then error("a segment of " .. small.length) end
    lab:expect(server):prints "the end"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
