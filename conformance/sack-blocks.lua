local tested = include "tested.lib.lua"

return {
  title = "Two gaps",
  asks = "Does an ACK report all data behind the gaps?",
  requires = {
    id = "RFC2018-4-b", level = "SHOULD", rfc = "RFC 2018 section 4",
    says = "An ACK has as many SACK blocks as it can: the newest first, then those of earlier "
      .. "ACKs.",
    met = "The ACK of a second segment behind a second gap has a block with exactly that one, "
      .. "and then one with the first.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack =
      tested.scripted(lab, { options = { mss = 1400, sack_permitted = true } })
    if not syn_ack.summary:find "sackOK" then lab:does_not_arise "kodos does not permit SACK" end
    conn:data("world", { seq = 11 })
    lab:check(tested.packet(lab, "ACK only", 2), "kodos sends an ACK")
    conn:data("later", { seq = 31 })
    local ack = tested.packet(lab, "ACK only", 2)
    lab:check(ack, "kodos sends a second ACK")
    local blocks = {}
    for i, block in ipairs(ack.sack or {}) do
      blocks[i] = ("%d to %d"):format((block.begin - conn.irs) % 2 ^ 32,
        (block["end"] - conn.irs) % 2 ^ 32)
    end
    lab:require(blocks[1] == "31 to 36" and blocks[2] == "11 to 16",
      "the blocks are 31 to 36 and 11 to 16", "they are " .. table.concat(blocks, ", "))
  end,
}
