local tested = include "tested.lib.lua"

return {
  title = "A SYN outside the window of a connection",
  asks = "Does a SYN outside the window leave the connection as it is?",
  requires = {
    id = "RFC5961-4.2", level = "MUST", rfc = "RFC 5961 section 4.2",
    says = "A SYN on a synchronized connection, whatever its sequence number, gets a challenge "
      .. "ACK and changes nothing.",
    met = "An ACK answers a SYN whose sequence number is 1 GB ahead, and the connection takes "
      .. "data afterwards.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:syn { seq = conn.rcv_nxt + 1000000000 }
    local met, seen = tested.is_challenged(lab, conn)
    lab:require(met, "kodos answers a SYN outside the window with an ACK, and takes data", seen)
  end,
}
