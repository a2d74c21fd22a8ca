-- The reader reads again, and its kernel announces free space, but that one ACK is lost. ACKs are
-- not acknowledged, so without the sender's probes both ends would wait forever.
return {
  title = "The window update is lost",
  asks = "How does a connection recover if the segment that reopens the window is lost?",
  source = "RFC 9293 section 3.8.6.1; RFC 1122 section 4.2.2.17",
  here = "With the next zero-window probe: its answer carries the new window, and the data flows "
    .. "again. Any Linux version.",
  why = "Zero-window probes exist for this case. The sender keeps probing (tcp_probe_timer()) and "
    .. "doubles the interval each time. The ACK of a probe carries the current window.",
  tags = { "windows", "window", "probes", "recovery" },

  run = function(lab)
    local client, server = lab:connected { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }

    server:freeze()
    client:type(string.rep("x", 30000) .. "the end\n")
    lab:expect_packet("kodos > kang", "zero window")
    lab:lose("kodos > kang", "tcp[14:2] != 0", { count = 1 })
    server:thaw()
    lab:expect_packet("kodos > kang", "tcp[14:2] != 0", { fate = "lost" })
    lab:expect_packet("kang > kodos", "window probe")
    lab:expect_packet("kodos > kang", "tcp[14:2] != 0")
    lab:expect(server):within(20):prints "the end"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
