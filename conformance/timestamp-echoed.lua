local tested = include "tested.lib.lua"

return {
  title = "The timestamp that an ACK echoes",
  asks = "Does the stack echo the timestamps of its peer?",
  requires = {
    id = "RFC7323-3.2", level = "MUST", rfc = "RFC 7323 section 3.2",
    says = "TSecr of an ACK is the timestamp of the peer that was last in order.",
    met = "On a connection with timestamps, the ACK of data with timestamp 5000 echoes 5000.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack =
      tested.scripted(lab, { options = { timestamps = { value = 1000, echo = 0 } } })
    if not syn_ack.tsval then lab:does_not_arise "kodos uses no timestamps" end
    conn:data("hello", { options = { timestamps = { value = 5000, echo = syn_ack.tsval } } })
    local packet = tested.packet(lab, "tcp", 2, { ack = 6 })
    lab:check(packet, "kodos acknowledges data")
    lab:require(packet.tsecr == 5000, "the ACK echoes the timestamp of the data", packet.tsecr)
  end,
}
