-- One of two paths is slower, so a segment arrives after nine segments that were sent later.
-- Nothing is lost, but the sender cannot know that in time.
return {
  title = "Reordering mistaken for a loss",
  asks = "When does a sender mistake reordering for a loss?",
  source = "RFC 5681 section 3.2; RFC 8985 section 6.2; ip-sysctl, tcp_reordering",
  here = "As soon as SACK has acknowledged tcp_reordering later segments, 3 by default. The sender "
    .. "then retransmits the late segment and slows down, and the receiver reports a D-SACK. With "
    .. "tcp_reordering = 20 the sender waits a quarter of the round trip longer, and nothing is "
    .. "sent twice. Measured on Linux 6.18.",
  why = "RACK normally allows a quarter of the round trip for reordering. If it has not yet seen "
    .. "reordering on this connection, it allows none once tcp_reordering segments are SACKed "
    .. "(tcp_rack_reo_wnd()). The default, 3, comes from RFC 5681 and is too low for a path that "
    .. "reorders.",
  tags = { "segments", "reordering", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0, -- a tail loss probe would be a copy, too
    } }
    local one_way = 150 * lab.millisecond
    local full = "greater 1000"
    local segments = 10
    lab:delay("* > *", "tcp", { by = one_way })

    local function expect_copies(port, expected)
      local client, server = lab:connect(kang, kodos, {
        client = { "--repl" }, server = { "--repl" }, port = port,
      })
      local detour = lab:reorder("kang > kodos", full, { behind = segments - 1, count = 1 })
      local segment_size = lab.family == 4 and 1448 or 1428
      client:type("fill " .. segments * segment_size .. "\n")
      local seen = {}
      for _ = 1, segments + expected do
        local segment = lab:expect_packet("kang > kodos", full)
        seen[segment.seq] = (seen[segment.seq] or 0) + 1
      end
      lab:never_packet(4 * one_way, "kang > kodos", full)
      local copies = 0
      for _, times in pairs(seen) do copies = copies + times - 1 end
      lab:check(copies == expected, "there are " .. expected .. " copies", copies)
      server:type(("recv %d waitall\n"):format(segments * segment_size))
      lab:expect(server):call("recv"):returns(segments * segment_size)
      detour:remove()
    end

    expect_copies(8080, 1)
    kang:sysctl("net.ipv4.tcp_reordering", 20)
    expect_copies(8081, 0)
  end,
}
