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
    local completed, connected = 0, {}
    -- Completes the handshakes of the SYN-ACKs that come within `seconds`, until that of `wanted`.
    local function complete(seconds, wanted)
      local ends = lab:now() + seconds
      while not connected[wanted] do
        local packet = tested.packet(lab, "SYN ACK", ends - lab:now())
        if not packet then return end
        local port = tonumber(packet.destination:match "%d+$")
        if not connected[port] then
          connected[port] = true
          completed = completed + 1
          lab:forge {
            to = kodos, from = kang, source_port = port,
            port = tested.port(kodos), flags = "A", seq = 1001,
            ack = (packet.seq + 1) % 2 ^ 32,
          }
        end
      end
    end
    for port = 40001, 40012 do
      lab:forge {
        to = kodos, from = kang, source_port = port,
        port = tested.port(kodos), flags = "S", seq = 1000,
      }
      complete(0.7, port)
      tested.settle(lab)
    end
    complete(1)
    lab:check(completed > 0, "kodos accepts a connection")
    lab:require(completed <= 8, "at most 8 of 12 clients connect", completed .. " connect")
  end,
}
