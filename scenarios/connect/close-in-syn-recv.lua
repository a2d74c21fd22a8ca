-- A program closes its socket in SYN_RECV. The kernel has already sent its SYN/ACK, so it completes
-- the handshake and then ends the connection with a FIN.
local enter_syn_recv = include "syn_recv.lib.lua"

return {
  title = "Close in SYN_RECV",
  asks = "What does the kernel do when a program closes its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.4 (SYN-RECEIVED) and Figure 5: SYN-RCVD to FIN-WAIT-1",
  here = "The socket goes to FIN_WAIT1, and a FIN follows the SYN/ACK. The peer becomes "
    .. "ESTABLISHED, reads end of stream and is in CLOSE_WAIT. Measured on Linux 6.18.",
  why = "tcp_close_state() moves SYN_RECV to FIN_WAIT1, as it does with ESTABLISHED. A server's "
    .. "half-open connections are request_socks that no program can close. This script therefore "
    .. "uses a simultaneous open.",
  tags = { "connect", "close", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, other, held = enter_syn_recv(lab, kang, kodos)

    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    held:remove()
    lab:expect(other):call("connect"):returns(0)
    lab:expect(other):call("read"):returns(0)
    lab:expect(other):in_state "CLOSE_WAIT"
  end,
}
