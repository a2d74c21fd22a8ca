-- Three segments of a window are lost. A receiver with SACK reports all gaps, and the sender
-- retransmits all three at once. Without SACK it reports only the first gap, so each segment costs
-- a round trip.
return {
  title = "tcp_sack = 0",
  asks = "How long does recovery from several losses take, with and without SACK?",
  source = "RFC 2018; RFC 6582 (NewReno) section 3.2; ip-sysctl, tcp_sack",
  here = "With SACK the three segments are retransmitted together. Without it each one waits for "
    .. "the ACK of the one before: one round trip each. Any Linux version.",
  why = "The SACK blocks of the first duplicate ACKs show all holes (tcp_sacktag_write_queue()). "
    .. "With NewReno each partial ACK shows only the next hole (tcp_newreno_mark_lost()). If one "
    .. "end does not offer SACK, neither end uses it.",
  tags = { "options", "loss", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0,
    } }
    local one_way = 50 * lab.millisecond
    lab:delay("* > *", "tcp", { by = one_way })
    local full = "greater 1000"

    --- Returns the time from the first retransmission to the third.
    local function recovery_time(port)
      local client, server = lab:connect(kang, kodos, {
        client = { "--repl" }, server = { "--repl" }, port = port,
      })
      for holes = 0, 2 do -- loses segments 1, 3, 5: each fault counts what earlier ones passed
        lab:lose("kang > kodos", full .. " and tcp dst port " .. port, { skip = holes, count = 1 })
      end
      client:type "fill 14480\n"
      local lost = {}
      for hole = 1, 3 do lost[hole] = lab:expect_packet("kang > kodos", full, { fate = "lost" }) end
      local function retransmission(hole)
        local segment
        repeat
          segment = lab:expect_packet("kang > kodos", full, { fate = "delivered" })
        until segment.seq == lost[hole].seq
        return segment
      end
      local first, last = retransmission(1), retransmission(3)
      server:type "recv 14480 waitall\n"
      lab:expect(server):call("recv"):returns(14480)
      return last.sent - first.sent
    end

    lab:expect_time(recovery_time(8080), 0, "the third retransmission, after the first, with SACK")
    kodos:sysctl("net.ipv4.tcp_sack", 0)
    lab:expect_time(recovery_time(8081), 2 * 2 * one_way, "the third retransmission without SACK")
  end,
}
