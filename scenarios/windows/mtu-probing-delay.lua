-- A link on the path silently drops full-size segments (see path-mtu-black-hole.lua). With
-- tcp_mtu_probing = 1 the connection recovers, after a time that tcp_retries1 sets.
return {
  title = "How soon tcp_mtu_probing finds a black hole",
  asks = "How long does a connection hang in a path MTU black hole with tcp_mtu_probing?",
  source = "RFC 4821 section 7.7; ip-sysctl, tcp_mtu_probing, tcp_base_mss, tcp_retries1",
  here = "For the time that tcp_retries1 retransmissions take. Then the data continues in segments "
    .. "of tcp_base_mss, 1024 bytes. Any Linux version with tcp_mtu_probing = 1.",
  why = "When the time that tcp_retries1 allows has passed (retransmits_timed_out()), "
    .. "tcp_write_timeout() calls tcp_mtu_probing(). Its first call enables probing on the "
    .. "connection, starting at tcp_base_mss (tcp_mtup_init()), and the kernel cuts the queued "
    .. "segment to that size.",
  tags = { "windows", "paths", "mtu", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
          ["net.ipv4.tcp_mtu_probing"] = 1,
          ["net.ipv4.tcp_retries1"] = 1,
          ["net.ipv4.tcp_retries2"] = 8,
        },
    }
    local client, server = lab:connect(kang, kodos)

    lab:mtu("* > *", { mtu = 1280 })
    local suspects_after = lab:timer("r1", client)
    client:type(string.rep("x", 1391) .. "the end\n")
    local first = lab:expect_packet("kang > kodos", "greater 1300", { fate = "lost" })
    local small = lab:expect_packet("kang > kodos", "greater 1000 and less 1300",
      { fate = "delivered", within = 2 * suspects_after + 1 })
    lab:expect_time(small.t - first.t, suspects_after, "the first smaller segment")
    local base = tonumber(kang:sysctl "net.ipv4.tcp_base_mss")
    lab:check(small.length <= base, "the segment fits tcp_base_mss", small.length)
    lab:expect(server):prints "the end"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
