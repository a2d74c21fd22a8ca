-- A path with two ways, one of them slower: a segment arrives behind nine that were sent after it.
-- Nothing is lost, but the sender cannot know that in time.
return {
  title = "Reordered too far",
  asks = "When does a sender take reordering for a loss?",
  source = "RFC 5681 section 3.2; RFC 8985 section 6.2; ip-sysctl, tcp_reordering",
  here = "Once tcp_reordering segments, 3, that were sent later have been acknowledged by SACK: it "
    .. "sends the late one again and slows down, and the receiver reports a D-SACK. With "
    .. "tcp_reordering = 20 it waits for another quarter of the round trip, and nothing is sent "
    .. "twice. Measured on Linux 6.18.",
  why = "RACK allows a quarter of the round trip for reordering, but none at all once that many "
    .. "segments are acknowledged by SACK, as long as it has seen no reordering "
    .. "(tcp_rack_reo_wnd()). Three is RFC 5681's number; for a path that reorders, it is too low.",
  tags = { "segments", "reordering", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0, -- no probe, which would be a copy, too
    } }
    local there = 150 * lab.millisecond
    local full = "greater 1000"
    local segments = 10
    lab:delay("* > *", "tcp", { by = there })

    local function expect_copies(port, expected)
      local server = kodos:dnc("--repl", "-l", port)
      local client = kang:dnc("--repl", kodos, port)
      lab:expect(client):in_state "ESTABLISHED"
      lab:expect(server):in_state "ESTABLISHED"
      local detour = lab:delay("kang > kodos", full, { by = there / 10, count = 1 })
      local each = lab.family == 4 and 1448 or 1428
      client:type("fill " .. segments * each .. "\n")
      local seen = {}
      for _ = 1, segments + expected do
        local segment = lab:expect_packet("kang > kodos", full)
        seen[segment.seq] = (seen[segment.seq] or 0) + 1
      end
      lab:never_packet(4 * there, "kang > kodos", full)
      local copies = 0
      for _, times in pairs(seen) do copies = copies + times - 1 end
      if copies ~= expected then error(copies .. " copies") end
      server:type(("recv %d waitall\n"):format(segments * each))
      lab:expect(server):call("recv"):returns(segments * each)
      detour:lift()
    end

    expect_copies(8080, 1)
    kang:sysctl("net.ipv4.tcp_reordering", 20)
    expect_copies(8081, 0)
  end,
}
