-- A host crashes and restarts, and its program connects again from the same port. The server still
-- has the old connection, and this SYN is the first sign that it is dead.
return {
  title = "A half-open connection is discovered",
  asks = "What happens when a host that crashed connects again from the same port?",
  source = "RFC 9293 section 3.5.1, Figure 9 (Figure 10 of RFC 793); RFC 5961 section 4",
  here = "The server answers the SYN with a challenge ACK for the old connection. The restarted "
    .. "host, in SYN_SENT, answers that ACK with a RST, and the server's old connection ends with "
    .. "ECONNRESET. The client retransmits its SYN within milliseconds (before Linux 5.6: after 1 "
    .. "s) and connects. Linux 3.6 or newer.",
  why = "The challenge ACK acknowledges data that the restarted host never sent. Before Linux "
    .. "implemented RFC 5961, a SYN in the window of the old connection reset it directly.",
  tags = { "segments", "syn", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "-p", 4000 }, server = { "-k" } })
    lab:expect(client):call("poll"):is_entered()

    kang:power_cycle()
    lab:expect(server):still_in_state "ESTABLISHED"
    client = kang:dnc("-p", 4000, kodos, 8080)
    lab:expect_packet("kang > kodos", "SYN")
    lab:expect_packet("kodos > kang", "ACK only")
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(server):in_state "CLOSED"
    lab:expect(server):call("read"):fails "ECONNRESET"

    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(client):call("connect"):returns(0)
  end,
}
