local tested = include "tested.lib.lua"

return {
  title = "A RST in the window, but not at its left edge",
  asks = "Does the stack answer a RST in the window with a challenge ACK, and stay connected?",
  requires = {
    id = "RFC5961-3.2-b", level = "MUST", rfc = "RFC 5961 section 3.2",
    says = "A RST in the window, but not at RCV.NXT, does not end the connection. It is answered "
      .. "with a challenge ACK.",
    met = "An ACK answers the RST, and the connection takes data afterwards.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:rst { seq = conn.rcv_nxt + 100 }
    local met, seen = tested.is_challenged(lab, conn)
    lab:require(met, "kodos answers a RST in the window with an ACK, and takes data", seen)
  end,
}
