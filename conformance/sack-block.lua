local tested = include "tested.lib.lua"

return {
  title = "Which data a SACK option reports",
  asks = "Does the stack report what it has received behind a gap?",
  requires = {
    id = "RFC2018-4", level = "SHOULD", rfc = "RFC 2018 section 4",
    says = "If both ends permit SACK, an ACK behind a gap reports the newest data first.",
    met = "The ACK of kodos for a segment behind a gap has a first block with exactly that "
      .. "segment.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack =
      tested.scripted(lab, { options = { mss = 1400, sack_permitted = true } })
    if not syn_ack.summary:find "sackOK" then lab:does_not_arise "kodos does not permit SACK" end
    conn:data("world", { seq = 11 })
    local packet = tested.packet(lab, "ACK only", 1)
    lab:check(packet, "kodos sends an ACK")
    local block = packet.sack and packet.sack[1]
    lab:require(block, "the ACK has a SACK block", "it has none")
    local from, to = (block.begin - conn.irs) % 2 ^ 32, (block["end"] - conn.irs) % 2 ^ 32
    lab:require(from == 11 and to == 16, "the first SACK block is 11 to 16",
      ("it is %.0f to %.0f"):format(from, to))
  end,
}
