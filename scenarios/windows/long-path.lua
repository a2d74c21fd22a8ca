-- On a long path nothing fails, but everything takes round trips: one to connect, one for each
-- request and its answer. More bandwidth does not help.
return {
  title = "A long path",
  asks = "How long do a connect and a request with its answer take on a long path?",
  source = "RFC 9293 sections 3.5 and 3.8.1; RFC 6298 section 2",
  here = "One round trip each. Nothing is sent twice, because the RTO adapts to the path. Any "
    .. "Linux version.",
  why = "connect returns when the SYN/ACK arrives. The handshake gives each end its first "
    .. "round-trip sample (tcp_synack_rtt_meas(), tcp_rcv_synsent_state_process()), and that sets "
    .. "the RTO before the first data.",
  tags = { "windows", "delay" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local one_way = 0.15
    local round_trip = 2 * one_way
    lab:delay("kang > kodos", "tcp", { by = one_way })
    lab:delay("kodos > kang", "tcp", { by = one_way })
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    local connect = lab:expect(client):call("connect"):returns(0)
    lab:expect_time(connect.t - connect.entered, round_trip, "connect(2)")
    lab:expect(server):in_state "ESTABLISHED"

    client:type "how far are you?\n"
    local asked = lab:expect(client):call("write"):returns(17)
    lab:expect(server):prints "how far are you?"
    server:type "this far\n"
    local answered = lab:expect(client):call("read"):returns(9)
    lab:expect_time(answered.t - asked.entered, round_trip, "the answer")
    lab:expect_packet("kang > kodos", "data")
    lab:never_packet(2 * round_trip, "* > *", "data")
  end,
}
