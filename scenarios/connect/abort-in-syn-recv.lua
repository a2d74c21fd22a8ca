-- A program aborts a socket that is still in SYN_RECV. The peer already knows of the connection, so
-- the kernel must send it a RST; otherwise the peer would wait until it times out.
local enter_syn_recv = include "syn_recv.lib.lua"

return {
  title = "Abort in SYN_RECV",
  asks = "What does the kernel do when a program aborts its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.5 (SYN-RECEIVED); socket(7), SO_LINGER",
  here = "The kernel sends a RST, and the socket is CLOSED. The peer receives the SYN and then the "
    .. "RST: its connect fails with ECONNRESET. Measured on Linux 6.18.",
  why = "close with SO_LINGER {1, 0} calls tcp_disconnect(). It sends a RST in those states in "
    .. "which the peer may know of the connection (tcp_need_reset()). SYN_RECV is one of them, "
    .. "SYN_SENT is not.",
  tags = { "connect", "close", "reset", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:lose("kang > kodos", "SYN ACK")
    local client, other, held = enter_syn_recv(lab, kang, kodos)

    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect_packet("kang > kodos", "RST", { fate = "held" })
    lab:expect(client):in_state "CLOSED"
    held:remove()
    lab:expect(other):call("connect"):fails "ECONNRESET"
    lab:expect(other):in_state "CLOSED"
  end,
}
