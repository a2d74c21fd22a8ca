-- A FIN is retransmitted like data. Who closes a connection to a host that is gone leaves an orphan
-- that goes on trying.
local talk = include "talk.lib.lua"

return {
  title = "The FIN again",
  asks = "What does a closed connection send if its FIN is never acknowledged?",
  source = "RFC 9293 section 3.6; ip-sysctl, tcp_orphan_retries",
  here = "The FIN again, after 200 ms, and then each time after twice the last wait. When the time "
    .. "of tcp_orphan_retries is over, the connection is forgotten without a RST. Any Linux "
    .. "version.",
  why = "tcp_retransmit_timer() sends the FIN again, and tcp_write_timeout() ends an orphan after "
    .. "the time that tcp_orphan_retries() stands for.",
  tags = { "peer", "close", "retransmission" },

  run = function(lab)
    local sysctls = { ["net.ipv4.tcp_orphan_retries"] = 2 }
    local server, conn, _, kodos = talk.accepted(lab, nil, sysctls)
    local gives_up_after = lab:timer("orphan_r2", server)
    server:type "close\n"
    local sent = conn:expect { flags = "FA", seq = 1, ack = 1 }
    local wait = lab:timer("rto_min", kodos)
    for number = 1, 2 do
      local again = conn:expect { flags = "FA", seq = 1, ack = 1, within = 2 * wait + 1 }
      lab:expect_time(again.t - sent.t, wait, "FIN " .. number)
      sent, wait = again, 2 * wait
    end
    lab:expect(kodos):within(gives_up_after + 1):in_state "CLOSED"
    conn:ack { ack = 2 }
    conn:expect { flags = "R", seq = 2, skip = true }
  end,
}
