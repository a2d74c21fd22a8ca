-- On a long path nothing fails, and everything takes its round trips: one to connect, one for each
-- question and its answer. No bandwidth mends that.
return {
  title = "A long path",
  asks = "How long do connect and a question with its answer take on a long path?",
  source = "RFC 9293 sections 3.5 and 3.8.1; RFC 6298 section 2",
  here = "One round trip each. Nothing is sent twice: the retransmission timeout has learnt how "
    .. "long the path is. Any Linux.",
  why = "connect returns when the SYN,ACK is there. The handshake is the first sample of the "
    .. "round trip (tcp_synack_rtt_meas(), tcp_rcv_synsent_state_process()), and the timeout is "
    .. "set from it before the first data.",
  tags = { "windows", "delay" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local there = 0.15
    local round_trip = 2 * there
    lab:delay("kang > kodos", "tcp", { by = there })
    lab:delay("kodos > kang", "tcp", { by = there })
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
    lab:expect_time(answered.t - asked.t, round_trip, "the answer")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    lab:never_packet(2 * round_trip, "* > *", "tcp[tcpflags] & tcp-push != 0")
  end,
}
