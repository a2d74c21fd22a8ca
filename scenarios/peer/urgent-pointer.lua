-- One octet of a stream can be urgent: send(2) with MSG_OOB. telnet, rlogin and FTP use it. The
-- RFCs and the systems disagree about where the pointer points.
local talk = include "talk.lib.lua"

return {
  title = "Where the urgent pointer points",
  asks = "Which octet does an urgent pointer mean, and how does a program read it?",
  source = "RFC 6093 section 3; tcp(7), tcp_stdurg",
  here = "To the octet after the urgent one, as in BSD. recv with MSG_OOB returns that octet, and "
    .. "read leaves it out. Any Linux version.",
  why = "tcp_check_urg() in net/ipv4/tcp_input.c subtracts 1 unless tcp_stdurg is set. "
    .. "tcp_mark_urg() sets the pointer of what is sent to the end of the data.",
  tags = { "peer", "urgent" },

  run = function(lab)
    local server, conn = talk.accepted(lab)
    server:type "send abc oob\n"
    conn:expect { flags = "PAU", data = "abc", urgent = 3 }
    conn:ack()
    conn:segment { flags = "PAU", data = "hello!more", urgent = 6 }
    conn:expect { flags = "A", ack = 11 }
    server:type "read 20\nrecv 1 oob\nread 20\n"
    lab:expect(server):call("read"):returns(5)
    lab:expect(server):call("recv"):returns(1)
    lab:expect(server):call("read"):returns(4)
  end,
}
