local tested = include "tested.lib.lua"

return {
  title = "Initial sequence numbers of one port",
  asks = "Do the initial sequence numbers of one pair of ports move on with time?",
  requires = {
    id = "MUST-8", level = "MUST", rfc = "RFC 9293 section 3.4.1",
    says = "The initial sequence number comes from a clock, so that old segments do not fit a new "
      .. "connection.",
    met = "Of 12 connections of the same addresses and ports, 0.1 s apart, each has an initial "
      .. "sequence number 1000 or more ahead of the last one. A clock of 4 us moves on by 25,000. "
      .. "At least 4 connections follow within 0.25 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local last, at
    local soon = 0
    for i = 1, 12 do
      local syn_ack = tested.open(lab, kodos, kang, { seq = 1000 * i })
      local ahead = last and (syn_ack.seq - last) % 2 ^ 32
      lab:require(not ahead or (ahead >= 1000 and ahead < 2 ^ 31),
        "an initial sequence number is 1000 ahead of that 0.1 s before",
        ("number %d is %s ahead of the one before"):format(i, ahead or "not"))
      if last and syn_ack.t - at < 0.25 then soon = soon + 1 end
      last, at = syn_ack.seq, syn_ack.t
      lab:forge {
        to = kodos, from = kang, source_port = 40000,
        port = tested.port(kodos), flags = "R", seq = 1000 * i + 1,
      }
      lab:wait(0.1)
    end
    lab:check(soon >= 4, "4 connections or more follow within 0.25 s", soon)
  end,
}
