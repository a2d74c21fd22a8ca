-- Three segments of a window are lost. A receiver that can say which ones it has (SACK) gets all
-- three at once; one that can only repeat what it misses first gets one in each round trip.
return {
  title = "tcp_sack = 0",
  asks = "How long does it take to mend several losses, with and without SACK?",
  source = "RFC 2018; RFC 6582 (NewReno) section 3.2; ip-sysctl, tcp_sack",
  here = "With SACK the three segments are sent again together. Without, each of them waits for "
    .. "the acknowledgment of the one before: a round trip each. Any Linux.",
  why = "A partial acknowledgment is all that NewReno learns of the next hole "
    .. "(tcp_try_undo_partial()); the SACK blocks of the first duplicate ACKs show all holes "
    .. "(tcp_sacktag_write_queue()). It takes one end without it to have it off at both.",
  tags = { "options", "loss", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0,
    } }
    local there = 50 * lab.millisecond
    lab:delay("* > *", "tcp", { by = there })
    local full = "greater 1000"

    --- How long after the first hole the third one is mended.
    local function mending(port)
      local server = kodos:dnc("--repl", "-l", port)
      local client = kang:dnc("--repl", kodos, port)
      lab:expect(client):in_state "ESTABLISHED"
      lab:expect(server):in_state "ESTABLISHED"
      for holes = 0, 2 do -- the first, the third, the fifth: each fault sees what is left to it
        lab:lose("kang > kodos", full .. " and tcp dst port " .. port, { skip = holes, count = 1 })
      end
      client:type "fill 14480\n"
      local lost = {}
      for hole = 1, 3 do lost[hole] = lab:expect_packet("kang > kodos", full, { fate = "lost" }) end
      local function mended(hole)
        local segment
        repeat
          segment = lab:expect_packet("kang > kodos", full, { fate = "delivered" })
        until segment.seq == lost[hole].seq
        return segment
      end
      local first, last = mended(1), mended(3)
      server:type "recv 14480 waitall\n"
      lab:expect(server):call("recv"):returns(14480)
      return last.sent - first.sent
    end

    lab:expect_time(mending(8080), 0, "mending three holes with SACK, after the first,")
    kodos:sysctl("net.ipv4.tcp_sack", 0)
    lab:expect_time(mending(8081), 2 * 2 * there, "mending three holes without SACK")
  end,
}
