local tested = include "tested.lib.lua"

-- A filter for a segment without SYN that has an MSS option: as the first option, behind two
-- No-Operations, or behind timestamps.
local function mss_filter(family)
  local function at(offset, size)
    local place = family == 4 and "tcp[%d:%d]" or "ip6[%d:%d]"
    return place:format(offset + (family == 4 and 0 or 40), size)
  end
  local padded = ("%s = 0x0101 and %s = 0x0204"):format(at(20, 2), at(22, 2))
  local behind = ("%s >= 0x90 and %s = 0x0101080a and %s = 0x0204"):format(at(12, 1), at(20, 4),
    at(32, 2))
  return ("%s & 2 = 0 and %s >= 0x60 and (%s = 0x0204 or (%s) or (%s))"):format(at(13, 1),
    at(12, 1), at(20, 2), padded, behind)
end

return {
  title = "An MSS option behind the handshake",
  asks = "Is the MSS option in no other segment than a SYN?",
  requires = {
    id = "MUST-65", level = "MUST", rfc = "RFC 9293 section 3.2",
    says = "Only a segment with SYN may have an MSS option.",
    met = "Data, an ACK and a FIN of kodos have no MSS option as their first one, nor behind "
      .. "No-Operations or timestamps. Its SYN-ACK has one.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program, _, _, syn_ack = tested.scripted(lab, { options = { mss = 1400 } })
    if not syn_ack.summary:find "mss %d" then lab:does_not_arise "kodos sends no MSS option" end
    local filter = mss_filter(lab.family)
    local function judge(what, is_it)
      local name, packet
      repeat
        name, packet = lab:first {
          wrong = lab:packet("kodos > kang", filter),
          right = lab:packet("kodos > kang", "tcp and not (" .. filter .. ")"),
          within = 3,
        }
        lab:check(name, "kodos sends " .. what)
        lab:require(name ~= "wrong", what .. " has no MSS option", packet.summary)
      until is_it(packet)
    end
    program:type "hello\n"
    judge("data", function(packet) return packet.length end)
    conn:ack()
    conn:data "hello\n"
    judge("an ACK", function(packet) return packet.ack end)
    lab:check(tested.await(lab, program, 3):prints "hello", "its program reads it")
    program:stop()
    judge("a FIN", function(packet) return packet.flags:find "F" end)
  end,
}
