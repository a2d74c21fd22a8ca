-- TCP timestamps take 12 bytes in every segment, and some hardening guides switch them off. Without
-- them the kernel cannot recognize old segments, and TIME_WAIT holds a port for a full minute.
return {
  title = "tcp_timestamps = 0",
  asks = "What stops working when TCP timestamps are switched off?",
  source = "RFC 7323 sections 3.2 and 5; RFC 6191; ip-sysctl, tcp_timestamps and tcp_tw_reuse",
  here = "tcp_tw_reuse has no effect: connect fails with EADDRNOTAVAIL for the 60 s that TIME_WAIT "
    .. "holds the port. The kernel also accepts a segment of any age whose sequence numbers fit; "
    .. "with timestamps it would drop an old one. It is enough that one end switches them off. Any "
    .. "Linux version.",
  why = "tcp_twsk_unique() requires that a timestamp was received (ts_recent_stamp): only with "
    .. "timestamps can the peer tell old segments from new ones. Without timestamps "
    .. "tcp_paws_discard() has nothing to compare.",
  tags = { "connect", "time-wait", "ports", "timestamps" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.ip_local_port_range"] = "40000 40000",
      ["net.ipv4.tcp_tw_reuse"] = 1,
    } }
    kang:sysctl("net.ipv4.tcp_timestamps", 0)
    local first = lab:connect(kang, kodos, {
      client = { "--on-stdin-eof", "close" }, server = { "--nc", "-k" },
    })
    first:close_stdin()
    lab:expect(first):exits(0)
    local waiting = lab:expect(first):in_state "TIME_WAIT"
    lab:wait(math.max(0, waiting.t + 1.25 * lab:timer("time_wait_reuse", kang) - lab:now()))
    local second = kang:dnc(kodos, 8080)
    lab:expect(second):call("connect"):fails "EADDRNOTAVAIL"

    local server = kodos:dnc("-l", 8081)
    local client = kang:dnc(kodos, 8081)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:cut("kodos > kang", "tcp") -- kang must not see the ACK of forged data
    lab:connection(server):data("from yesterday\n", { age = 24 * lab.hour })
    lab:expect(server):prints "from yesterday"
  end,
}
