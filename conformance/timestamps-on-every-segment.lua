local tested = include "tested.lib.lua"

return {
  title = "Timestamps after the handshake",
  asks = "Do all segments have timestamps once both ends want them?",
  requires = {
    id = "RFC7323-3.2-b", level = "MUST", rfc = "RFC 7323 section 3.2",
    says = "Once negotiated, every segment but a RST has the timestamps option.",
    met = "Data and an ACK of kodos on such a connection have timestamps.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program, _, _, syn_ack =
      tested.scripted(lab, { options = { timestamps = { value = 1000, echo = 0 } } })
    if not syn_ack.tsval then lab:does_not_arise "kodos uses no timestamps" end
    program:type "hello\n"
    local data = tested.packet(lab, "data", 2)
    lab:check(data, "kodos sends data")
    lab:require(data.tsval, "data has timestamps", data.summary)
    conn:data "hello"
    local ack = tested.packet(lab, "ACK only", 2, { ack = 6 })
    lab:check(ack, "kodos acknowledges data")
    lab:require(ack.tsval, "an ACK has timestamps", ack.summary)
  end,
}
