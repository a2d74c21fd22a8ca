-- Linux answers invalid segments with challenge ACKs. Without a limit, an attacker could make a
-- host send as much as the attacker does, and two ends that disagree about sequence numbers would
-- answer each other forever.
return {
  title = "Challenge ACKs are rate-limited",
  asks = "How often does Linux answer an invalid segment?",
  source = "ip-sysctl, tcp_invalid_ratelimit and tcp_challenge_ack_limit; RFC 5961 section 7",
  here = "A connection answers at most once per 500 ms (tcp_invalid_ratelimit); with 0 it answers "
    .. "every time. A host answers tcp_challenge_ack_limit times per second on average: each "
    .. "second gets a random quota of half to one and a half times that. Since Linux 6.1 the "
    .. "default is 2147483647, which means no limit.",
  why = "tcp_send_challenge_ack() in net/ipv4/tcp_input.c applies both limits. The limit per host "
    .. "was first 100, then 1000, and all connections shared it. An attacker with a connection to "
    .. "the host could see whether a guess about another connection was right (CVE-2016-5696). "
    .. "Today, by default, only the limit per connection applies.",
  tags = { "segments", "reset" },
  needs = { "kernel 6.1" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)
    lab:expect(client):call("poll"):is_entered()
    local conn = lab:connection(client)
    local limit = tonumber(kang:sysctl "net.ipv4.tcp_invalid_ratelimit") * lab.millisecond

    local function probe() conn:rst { seq = conn.rcv_nxt + 100 } end
    local function answered()
      return lab:expect_packet("kang > kodos", "ACK only")
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

    -- The limit of the host: 1 per second for all connections together.
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
