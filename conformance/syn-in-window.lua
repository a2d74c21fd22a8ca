local tested = include "tested.lib.lua"

return {
  title = "A SYN in the window of a connection",
  asks = "Does a SYN in the window leave the connection as it is?",
  requires = {
    id = "RFC5961-4.2", level = "MUST", rfc = "RFC 5961 section 4.2",
    says = "A SYN on a synchronized connection, whatever its sequence number, gets a challenge ACK "
      .. "and changes nothing.",
    met = "An ACK answers the SYN, and the connection takes data afterwards.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:syn { seq = conn.rcv_nxt + 100 }
    local met, seen = tested.is_challenged(lab, conn)
    lab:require(met, "kodos answers a SYN in the window with an ACK, and takes data", seen)
  end,
}
