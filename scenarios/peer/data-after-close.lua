-- A program that closes its socket reads no more. What the peer sends after that would be lost
-- without a trace.
local talk = include "talk.lib.lua"

return {
  title = "Data after the close, and after the half-close",
  asks = "A program has sent its FIN. What if data comes?",
  source = "RFC 9293 section 3.6.1, RFC 1122 section 4.2.2.13",
  here = "After shutdown it is taken and acknowledged. After close the kernel answers with a RST. "
    .. "Any Linux version.",
  why = "tcp_rcv_state_process() in net/ipv4/tcp_input.c sends a RST for new data in FIN_WAIT1 and "
    .. "FIN_WAIT2 if RCV_SHUTDOWN is set (LINUX_MIB_TCPABORTONDATA).",
  tags = { "peer", "close", "reset" },
  cases = {
    { name = "shutdown", call = "shutdown wr", answer = { flags = "A", ack = 6 } },
    { name = "close", call = "close", answer = { flags = "R", seq = 2 } },
  },

  run = function(lab, case)
    local server, conn = talk.accepted(lab)
    server:type(case.call .. "\n")
    conn:expect { flags = "FA", seq = 1 }
    conn:ack()
    conn:data "hello"
    conn:expect(case.answer)
  end,
}
