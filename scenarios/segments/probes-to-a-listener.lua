-- A port scanner can find listeners without a handshake: it sends segments that belong to no
-- connection. RFC 9293 says how a listener answers each of them.
return {
  title = "Scan probes to a listening port",
  asks = "What does a listening port answer to an ACK, FIN, SYN/ACK, RST or a segment without "
    .. "flags?",
  source = "RFC 9293 section 3.10.7.2; nmap(1), -sA, -sF, -sN",
  here = "A RST to an ACK, alone or with SYN or FIN. Nothing to a FIN, a RST or a segment without "
    .. "flags. Any Linux version.",
  why = "A listener has sent nothing, so an ACK cannot be for this socket: the answer is a RST "
    .. "with the acknowledged number. A RST is never answered, and RFC 9293 drops all other "
    .. "segments (tcp_rcv_state_process() in net/ipv4/tcp_input.c, case TCP_LISTEN).",
  tags = { "segments", "scan" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)

    local function probe(flags)
      lab:forge {
        to = kodos, from = kang, source_port = 4000, port = 8080, flags = flags, seq = 100, ack = 7,
      }
    end
    for _, flags in ipairs { "A", "SA", "FA" } do
      probe(flags)
      local reset = lab:expect_packet("kodos > kang", "RST")
      lab:say(flags .. " is answered with " .. reset.summary)
      lab:check(reset.seq == 7 and reset.flags == "R", flags .. " is answered with R, seq 7")
    end
    for _, flags in ipairs { "F", "", "R", "RA", "FPU" } do
      probe(flags)
      lab:never_packet(0.02, "kodos > kang")
    end
    lab:expect(server):still_runs()
    lab:expect(kodos):has_no_connection()
  end,
}
