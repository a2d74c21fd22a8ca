-- The round trip takes more than a second: a satellite link, a full queue, a sleeping host. The
-- SYN's timer expires too early every time, and so does the SYN/ACK's.
return {
  title = "A round trip longer than the SYN's timer",
  asks = "What happens if the round trip is longer than the initial RTO?",
  source = "RFC 6298 sections 2.1 and 5.7",
  here = "connect returns 0 after one round trip. The client sends its SYN twice. The server "
    .. "sends its SYN/ACK three times: once for each SYN, and once when its own timer expires. "
    .. "Any Linux version.",
  why = "Before the first answer there is no round-trip sample, so TCP_TIMEOUT_INIT (1 s) applies "
    .. "to every path. After such a handshake the first data starts with an RTO of 3 s (RFC 6298 "
    .. "section 5.7), unless timestamps tell the two SYNs apart.",
  tags = { "windows", "delay", "connect", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local initial = lab:timer("initial_rto", kang)
    local round_trip = 1.3 * initial
    lab:delay("kang > kodos", "tcp", { by = round_trip / 2 })
    lab:delay("kodos > kang", "tcp", { by = round_trip / 2 })
    local client = kang:dnc(kodos, 8080)
    local first = lab:expect_packet("kang > kodos", "SYN", { fate = "delayed" })
    local second = lab:expect_packet("kang > kodos", "SYN", { fate = "delayed" })
    lab:expect_time(second.t - first.t, initial, "the SYN retransmission")
    local connect = lab:expect(client):call("connect"):returns(0)
    lab:expect_time(connect.t - connect.entered, round_trip, "connect(2)")
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):within(2 * round_trip):in_state "ESTABLISHED"
    for _ = 1, 2 do lab:expect_packet("kodos > kang", "SYN ACK", { fate = "delivered" }) end
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
