-- Brings kodos into each state of RFC 9293's diagram, with a peer at the other end.
local talk = include "talk.lib.lua"
local states = {}

-- Each function returns the connection of the peer. The script has expected every segment.
function states.CLOSED(_, peer, kodos, port) return peer:open(kodos, { port = port }) end

function states.LISTEN(lab, peer, kodos, port)
  talk.listening(lab, kodos, port)
  return peer:open(kodos, { port = port })
end

function states.SYN_SENT(_, peer, kodos, port)
  kodos:dnc("--repl", "kang", port)
  return peer:expect_syn { port = port }
end

function states.SYN_RECV(lab, peer, kodos, port)
  local conn = states.LISTEN(lab, peer, kodos, port)
  conn:syn()
  conn:expect { flags = "SA", ack = 1 }
  return conn
end

function states.ESTABLISHED(lab, peer, kodos, port)
  local server = talk.listening(lab, kodos, port)
  local conn = peer:connect(kodos, { port = port })
  lab:expect(server):call("accept"):returns()
  return conn, server
end

function states.FIN_WAIT1(lab, peer, kodos, port)
  local conn, server = states.ESTABLISHED(lab, peer, kodos, port)
  server:type "shutdown wr\n"
  conn:expect { flags = "FA", seq = 1 }
  return conn
end

function states.FIN_WAIT2(lab, peer, kodos, port)
  return states.FIN_WAIT1(lab, peer, kodos, port):ack()
end

function states.CLOSING(lab, peer, kodos, port)
  local conn = states.FIN_WAIT1(lab, peer, kodos, port)
  conn:fin { ack = 1 }
  conn:expect { flags = "A", ack = 2 }
  return conn
end

function states.TIME_WAIT(lab, peer, kodos, port)
  local conn = states.FIN_WAIT2(lab, peer, kodos, port)
  conn:fin()
  conn:expect { flags = "A", ack = 2 }
  return conn
end

function states.CLOSE_WAIT(lab, peer, kodos, port)
  local conn, server = states.ESTABLISHED(lab, peer, kodos, port)
  conn:fin()
  conn:expect { flags = "A", ack = 2 }
  return conn, server
end

function states.LAST_ACK(lab, peer, kodos, port)
  local conn, server = states.CLOSE_WAIT(lab, peer, kodos, port)
  server:type "shutdown wr\n"
  conn:expect { flags = "FA", seq = 1 }
  return conn
end

return states
