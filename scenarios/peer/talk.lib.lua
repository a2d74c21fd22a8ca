-- A dnc on kodos that makes one system call for each line, and a peer at the other end of its
-- connection.
local talk = {}

--- Returns sysctls with which nothing is retransmitted because of a timeout within 10 s; before
-- Linux 6.11, within 200 ms.
function talk.long_rto(lab)
  return {
    ["net.ipv4.tcp_rto_min_us"] = lab:since "6.11" and 10000000 or nil,
    ["net.ipv4.tcp_early_retrans"] = 0,
  }
end

--- Returns the peer, and kodos. The congestion control is the same on every machine.
function talk.hosts(lab, sysctls)
  local kang, kodos = lab:pair { peer = "kang", congestion = "reno", sysctls = sysctls }
  return lab:peer(kang), kodos
end

--- Returns a dnc on kodos that listens on that port, and has not accepted yet.
function talk.listening(lab, kodos, port)
  local server = kodos:dnc("--repl", "-l", port)
  lab:expect(server):call("listen"):returns(0)
  return server
end

--- Returns a dnc that has accepted a connection of the peer, the connection, the peer, and kodos.
-- `handshake` has fields of peer:connect. `sysctls` are those of kodos.
function talk.accepted(lab, handshake, sysctls)
  local peer, kodos = talk.hosts(lab, sysctls)
  local server = talk.listening(lab, kodos, 8080)
  local options = { port = 8080 }
  for name, value in pairs(handshake or {}) do options[name] = value end
  local conn = peer:connect(kodos, options)
  lab:expect(server):call("accept"):returns()
  return server, conn, peer, kodos
end

--- Expects that many full segments of data, one after the other, from `first` on.
function talk.expect_segments(conn, first, count, size)
  for i = 0, count - 1 do conn:expect { seq = first + i * size, length = size } end
end

return talk
