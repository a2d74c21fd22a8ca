local tested = include "tested.lib.lua"

return {
  title = "12 clients and a backlog of 3",
  asks = "Does the backlog of listen(2) limit the waiting connections?",
  requires = {
    id = "listen-backlog", level = "behaviour", rfc = "POSIX.1-2017, listen()",
    says = "The backlog of listen(2) limits the connections that wait for accept(2).",
    met = "Of 12 clients of a program that listens with a backlog of 3 and accepts none, kodos "
      .. "lets at most 8 complete the handshake.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    local program = kodos:dnc("--repl")
    program:type "socket\nbind 8080\nlisten 3\n"
    lab:expect(program):call("listen"):returns(0)
    local completed = 0
    for i = 1, 12 do
      local port = 40000 + i
      lab:forge {
        to = kodos, from = kang, source_port = port, port = 8080, flags = "S", seq = 1000,
      }
      local packet = tested.packet(lab, "SYN ACK", 0.2)
      if packet and packet.destination:find(port, 1, true) then
        completed = completed + 1
        lab:forge {
          to = kodos, from = kang, source_port = port, port = 8080, flags = "A", seq = 1001,
          ack = (packet.seq + 1) % 2 ^ 32,
        }
        tested.settle(lab)
      end
    end
    lab:check(completed > 0, "kodos accepts a connection")
    lab:require(completed <= 8, "at most 8 of 12 clients connect", completed .. " connect")
  end,
}
