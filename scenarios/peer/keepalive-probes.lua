-- A keepalive probe must have an answer, although it has nothing to say. Its number does that.
local talk = include "talk.lib.lua"

return {
  title = "What a keepalive probe is",
  asks = "Which segment is a keepalive probe, and what ends the probing?",
  source = "RFC 9293 section 3.8.4, RFC 1122 section 4.2.3.6; tcp(7), TCP_KEEPCNT",
  here = "An ACK without data, whose number is that of the octet before the next one. An answer "
    .. "ends it. After TCP_KEEPCNT probes without one the kernel sends a RST, and the program gets "
    .. "ETIMEDOUT. Any Linux version.",
  why = "tcp_keepalive_timer() calls tcp_write_wakeup(), and at last tcp_send_active_reset().",
  tags = { "peer", "keepalive", "reset" },

  run = function(lab)
    local peer, kodos = talk.hosts(lab)
    local server = kodos:dnc("--keepalive", "1/1/2", "-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local conn = peer:connect(kodos, { port = 8080 })
    local probe = { flags = "A", seq = 0, ack = 1, length = 0 }
    conn:expect(probe)
    conn:ack()
    conn:expect(probe)
    conn:expect(probe)
    conn:expect { flags = "RA", seq = 1, ack = 1 }
    lab:expect(server):call("read"):fails "ETIMEDOUT"
  end,
}
