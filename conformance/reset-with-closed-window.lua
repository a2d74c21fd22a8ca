local tested = include "tested.lib.lua"

return {
  title = "A RST while the window is closed",
  asks = "Is a RST processed while the receive window is 0?",
  requires = {
    id = "MUST-66", level = "MUST", rfc = "RFC 9293 section 3.4",
    says = "RST and URG are processed even if the receive window is 0.",
    met = "After its window has closed, and an exact RST, kodos answers a segment of the "
      .. "connection with a RST.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local peer = lab:connect(kang, kodos, { server = { "--repl" } })
    peer:type(("x"):rep(999999) .. "\n")
    local closed = tested.packet(lab, "zero window", 10)
    if not closed then lab:skip "kodos's window does not close within 10 s" end
    tested.silence(lab)
    lab:lose("kang > kodos", "tcp", { name = "kang's kernel is silent" })
    tested.settle(lab)
    local conn = lab:connection(kodos)
    conn:rst { faults = false }
    local gone, seen = tested.is_gone(lab, conn, { faults = false })
    lab:require(gone, "the connection is gone after an exact RST", seen)
  end,
}
