local tested = include "tested.lib.lua"

return {
  title = "Initial sequence numbers of one port",
  asks = "Do the initial sequence numbers of one pair of ports move on with time?",
  requires = {
    id = "MUST-8", level = "MUST", rfc = "RFC 9293 section 3.4.1",
    says = "The initial sequence number comes from a clock, so that old segments do not fit a new "
      .. "connection.",
    met = "Of 8 connections of the same addresses and ports, 0.1 s apart, each has an initial "
      .. "sequence number ahead of the last one.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local last
    for i = 1, 8 do
      local syn_ack = tested.open(lab, kodos, kang, { seq = 1000 * i })
      local ahead = last and (syn_ack.seq - last) % 2 ^ 32
      lab:require(not ahead or (ahead > 0 and ahead < 2 ^ 31),
        "an initial sequence number is ahead of that 0.1 s before",
        ("number %d is %s ahead of the one before"):format(i, ahead or "not"))
      last = syn_ack.seq
      lab:forge {
        to = kodos, from = kang, source_port = 40000, port = 8080, flags = "R", seq = 1000 * i + 1,
      }
      lab:wait(0.1)
    end
  end,
}
