local tested = include "tested.lib.lua"

return {
  title = "A RST at the left edge of the window",
  asks = "Does a RST with the expected sequence number end the connection?",
  requires = {
    id = "RFC5961-3.2-a", level = "MUST", rfc = "RFC 5961 section 3.2",
    says = "A RST whose sequence number is RCV.NXT resets the connection.",
    met = "After the RST, kodos answers a segment of the connection with a RST.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:rst()
    local gone, seen = tested.is_gone(lab, conn)
    lab:require(gone, "the connection is gone after an exact RST", seen)
  end,
}
