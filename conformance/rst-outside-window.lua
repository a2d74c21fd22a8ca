local tested = include "tested.lib.lua"

return {
  title = "A RST outside the window",
  asks = "Does the stack ignore a RST outside the receive window?",
  requires = {
    id = "RFC5961-3.2-c", level = "behaviour", rfc = "RFC 5961 section 3.2",
    says = "A RST outside the receive window is dropped in silence.",
    met = "Nothing answers the RST, and the connection takes data afterwards.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:rst { seq = conn.rcv_nxt - 1 }
    local answer = tested.answer(lab, 1)
    lab:require(answer == "nothing", "nothing answers a RST below the window",
      "the answer is " .. answer)
    local alive, seen = tested.takes_data(lab, conn)
    lab:require(alive, "the connection goes on after the RST", seen)
  end,
}
