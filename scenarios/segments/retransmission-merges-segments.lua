-- The kernel may merge several lost segments into one retransmission. A capture then shows a
-- segment that was never sent before. This misleads tools that match retransmissions by sequence
-- number and length.
return {
  title = "Lost segments are merged when retransmitted",
  asks = "Is a retransmission the same segment as the one that was lost?",
  source = "ip-sysctl, tcp_retrans_collapse; RFC 9293 section 3.8.1",
  here = "Not always. Here three small segments are lost, and one segment with all of their data "
    .. "is retransmitted. With tcp_retrans_collapse = 0 each segment is retransmitted as it was. "
    .. "Any Linux version.",
  why = "tcp_retrans_try_collapse() appends the following segments to the retransmission as long "
    .. "as it stays within an MSS. ip-sysctl calls this a workaround for some broken printers.",
  tags = { "segments", "retransmission", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_early_retrans"] = 0 } }
    local function retransmission(port)
      local client, server = lab:connect(kang, kodos, {
        client = { "--repl" }, server = { "--repl" }, port = port,
      })
      client:type "setsockopt TCP_NODELAY on\n"
      lab:lose("kang > kodos", "data", { count = 3 })
      client:type "write one\nwrite two\nwrite three\n"
      for _, length in ipairs { 3, 3, 5 } do
        local lost = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
        lab:check(lost.length == length, "each write is a segment", lost.length)
      end
      local resent = lab:expect_packet("kang > kodos", "data", { fate = "delivered" })
      server:type "recv 11 waitall\n"
      lab:expect(server):call("recv"):returns(11)
      return resent.length
    end

    local together = retransmission(8080)
    lab:check(together == 11, "all data is in one retransmission", together)
    kang:sysctl("net.ipv4.tcp_retrans_collapse", 0)
    local first = retransmission(8081)
    lab:check(first == 3, "only the first segment is retransmitted", first)
  end,
}
