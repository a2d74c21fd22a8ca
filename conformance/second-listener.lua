local tested = include "tested.lib.lua"

return {
  title = "A second listener",
  asks = "Does a new listener leave earlier connections alone?",
  requires = {
    id = "MUST-41", level = "MUST", rfc = "RFC 9293 section 3.9.1.1",
    says = "A passive OPEN does not affect any connection that exists.",
    met = "After another program of kodos listens on another port, the first connection still "
      .. "takes data.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, kodos, kang = tested.scripted(lab)
    local second = kodos:dnc("-l", 8081)
    lab:expect(second):call("listen"):returns(0)
    lab:forge { to = kodos, from = kang, source_port = 40001, port = 8081, flags = "S", seq = 7000 }
    lab:check(tested.packet(lab, "SYN ACK", 3), "the second port accepts a connection")
    local alive, seen = tested.takes_data(lab, conn)
    lab:require(alive, "the first connection goes on", seen)
  end,
}
