-- Answers to invalid segments could be used to make a host send as much as the attacker does, or,
-- when two ends disagree about their numbers, be answered for ever. So Linux limits them.
return {
  title = "Challenge ACKs are limited",
  asks = "How often is an invalid segment answered?",
  source = "ip-sysctl, tcp_invalid_ratelimit and tcp_challenge_ack_limit; RFC 5961 section 7",
  here = "One connection answers once in 500 ms (tcp_invalid_ratelimit); with 0 it answers each. "
    .. "A host answers tcp_challenge_ack_limit times a second, half as often in seconds that "
    .. "chance picks; since Linux 6.1 that limit is 2147483647, none.",
  why = "tcp_send_challenge_ack() in net/ipv4/tcp_input.c. The limit of a host was 100, later "
    .. "1000, and shared by all connections: one of the attacker's own told him whether his guess "
    .. "about another was right (CVE-2016-5696). The limit of each connection is what counts now.",
  tags = { "segments", "reset" },
  needs = { "kernel 6.1" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)
    local limit = tonumber(kang:sysctl "net.ipv4.tcp_invalid_ratelimit") * lab.millisecond

    local function probe() conn:rst { seq = conn.rcv_nxt + 100 } end
    local function answered()
      return lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    end
    probe()
    local first = answered()
    probe()
    lab:never_packet(limit / 2, "kang > kodos")
    lab:wait(math.max(0, first.t + limit * 1.1 - lab:now()))
    probe()
    answered()

    kang:sysctl("net.ipv4.tcp_invalid_ratelimit", 0)
    for _ = 1, 3 do
      probe()
      answered()
    end

    -- The host's own limit: 1 a second, whoever asks.
    lab:wait(1.1 * lab.second)
    kang:sysctl("net.ipv4.tcp_challenge_ack_limit", 1)
    lab:wait(1.1 * lab.second)
    probe()
    answered()
    probe()
    lab:never_packet(0.2, "kang > kodos")
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
