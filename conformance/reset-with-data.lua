local tested = include "tested.lib.lua"

return {
  title = "A RST with data",
  asks = "Does a RST that carries text reset the connection?",
  requires = {
    id = "SHLD-2", level = "SHOULD", rfc = "RFC 9293 section 3.5.3",
    says = "A RST may carry data, such as the reason in words.",
    met = "After an exact RST with data, kodos has no connection.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:segment { flags = "RA", data = "going down" }
    local gone, seen = tested.is_gone(lab, conn)
    lab:require(gone, "the connection is gone", seen)
  end,
}
