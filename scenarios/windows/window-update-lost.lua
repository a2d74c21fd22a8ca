-- The reader reads again, its kernel says that there is room, and that one segment is lost. It is
-- an ACK, and nothing acknowledges ACKs: without the sender's probes both ends would wait for ever.
return {
  title = "The window update is lost",
  asks = "What mends a connection when the news that the window is open again is lost?",
  source = "RFC 9293 section 3.8.6.1; RFC 1122 section 4.2.2.17",
  here = "The next probe of the zero window: its answer has the new window, and data flows. Any "
    .. "Linux.",
  why = "This is what probes are for. The sender asks on (tcp_probe_timer()), each time after "
    .. "twice as long, and the ACK to a probe carries the window as it is now.",
  tags = { "windows", "window", "probes", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type(string.rep("x", 30000) .. "the end\n")
    lab:expect_packet("kodos > kang", "tcp[14:2] = 0")
    lab:lose("kodos > kang", "tcp[14:2] != 0", { count = 1 })
    server:thaw()
    lab:expect_packet("kodos > kang", "tcp[14:2] != 0", { fate = "lost" })
    lab:expect_packet("kang > kodos", "tcp") -- the probe
    lab:expect_packet("kodos > kang", "tcp[14:2] != 0")
    lab:expect(server):within(20):prints "the end"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
