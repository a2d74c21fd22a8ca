local tested = include "tested.lib.lua"

return {
  title = "Initial sequence numbers that nobody can guess",
  asks = "Are the initial sequence numbers of connections with other ports unrelated?",
  source = "RFC 6528",
  requires = {
    id = "SHLD-1", level = "SHOULD", rfc = "RFC 9293 section 3.4.1; RFC 6528 section 3",
    says = "The initial sequence number is a clock plus a pseudorandom function of the addresses "
      .. "and ports.",
    met = "Of 8 connections in a row from 8 ports, at least two that follow each other have "
      .. "initial sequence numbers more than 2^24 apart.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local numbers = {}
    for i = 1, 8 do
      local syn_ack = tested.open(lab, kodos, kang, { port = 40000 + i })
      numbers[i] = syn_ack.seq
      lab:forge {
        to = kodos, from = kang, source_port = 40000 + i,
        port = tested.port(kodos), flags = "R", seq = 1001,
      }
    end
    local largest = 0
    for i = 2, #numbers do
      local ahead = (numbers[i] - numbers[i - 1]) % 2 ^ 32
      largest = math.max(largest, math.min(ahead, 2 ^ 32 - ahead))
    end
    lab:require(largest > 2 ^ 24, "a new port gives an unrelated initial sequence number",
      ("each is at most %d from the one before"):format(largest))
  end,
}
