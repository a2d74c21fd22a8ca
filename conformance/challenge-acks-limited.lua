local tested = include "tested.lib.lua"

return {
  title = "100 RSTs in the window",
  asks = "Are the answers to forged segments limited?",
  requires = {
    id = "RFC5961-7", level = "behaviour", rfc = "RFC 5961 section 7",
    says = "The number of challenge ACKs in a time is limited.",
    met = "kodos answers 100 RSTs in the window, all at once, with at most 20 ACKs. A stack that "
      .. "such a RST resets sends no challenge ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    local at = conn.rcv_nxt
    for i = 1, 100 do conn:rst { seq = at + 100 + i } end
    local count = 0
    while count < 100 and tested.packet(lab, "ACK only", 1) do count = count + 1 end
    if count == 0 then lab:does_not_arise "kodos sends no challenge ACK for a RST in the window" end
    lab:require(count <= 20, "kodos sends at most 20 challenge ACKs at once", count .. " ACKs")
  end,
}
