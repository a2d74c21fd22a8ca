-- Nothing is lost, the path only becomes longer than the sender believes: it sends again what is
-- still on its way. The receiver gets it twice and says so, and the sender takes its alarm back.
return {
  title = "The path becomes longer all at once",
  asks = "What does a sender do when an acknowledgment is late, and nothing was lost?",
  source = "RFC 6298 section 5; RFC 2883 section 4; RFC 5682 (F-RTO)",
  here = "It sends the data again. The program reads it once; the copy is answered with a D-SACK. "
    .. "Any Linux with tcp_dsack = 1.",
  why = "The retransmission timeout was learnt on the short path: 200 ms and the round trip. A "
    .. "timer cannot tell late from lost; the D-SACK block can, afterwards (tcp_check_dsack()).",
  tags = { "segments", "delay", "retransmission" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local data = "tcp[tcpflags] & tcp-push != 0"
    local soon = lab:timer("tail_loss_probe", client)
    lab:delay("kang > kodos", { by = 1.5 * soon, name = "detour" })
    client:type "late\n"
    local first = lab:expect_packet("kang > kodos", data, { fate = "delayed" })
    local again = lab:expect_packet("kang > kodos", data, { fate = "delayed" })
    lab:expect_time(again.t - first.t, soon, "the needless copy")
    lab:expect(server):call("read"):returns(5)
    lab:never(server, 1.5 * soon):call("read"):returns()
    local answer = lab:expect_packet("kodos > kang", "tcp[12] & 0xf0 > 0x80")
    if not answer.summary:find "ack 6,.*sack 1:6" then error(answer.summary) end
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
