-- Timestamps are twelve octets in every segment, and some hardening guides have them switched off.
-- What goes with them: old segments look like new ones, and ports come back a minute later.
return {
  title = "tcp_timestamps = 0",
  asks = "Why does tcp_tw_reuse do nothing, and what else goes when timestamps are switched off?",
  source = "RFC 7323 sections 3.2 and 5; RFC 6191; ip-sysctl, tcp_timestamps and tcp_tw_reuse",
  here = "connect finds the port taken by TIME_WAIT, EADDRNOTAVAIL, for all of its 60 s. And a "
    .. "segment of any age whose numbers fit is taken, where one with an old timestamp would be "
    .. "dropped. One end is enough for both. Any Linux.",
  why = "tcp_twsk_unique() wants to know when the last timestamp was received (ts_recent_stamp), "
    .. "for only with timestamps can the peer tell old from new; there was none. "
    .. "tcp_paws_discard() has nothing to compare.",
  tags = { "connect", "time-wait", "ports", "timestamps" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.ip_local_port_range"] = "40000 40000",
      ["net.ipv4.tcp_tw_reuse"] = 1,
    } }
    kang:sysctl("net.ipv4.tcp_timestamps", 0)
    kodos:dnc("--nc", "-k", "-l", 8080)
    local first = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
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
    lab:cut("kodos > kang", "tcp") -- kang never sent what comes now
    lab:connection(server):data("from yesterday\n", { age = 24 * lab.hour })
    lab:expect(server):prints "from yesterday"
  end,
}
