-- An ICMP error quotes the packet that it is about. Whoever has not seen that packet must guess
-- its ports and its sequence number; a guess must not end a connection.
return {
  title = "An ICMP error that quotes a wrong sequence number",
  asks = "Can somebody who does not see my packets end my connect(2) with an ICMP error?",
  source = "RFC 5927 section 4.1",
  here = "Not without the sequence number: an error that quotes one that is not in flight is "
    .. "ignored. The same error with the right one ends connect. Any Linux.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c and tcp_v6_err() want the quoted number between "
    .. "SND.UNA and SND.NXT, and count the others in LINUX_MIB_OUTOFWINDOWICMPS (netstat -s).",
  tags = { "connect", "icmp" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos", "tcp")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    local conn = lab:connection(client)

    lab:icmp { error = "port-unreachable", about = conn, seq = conn.snd_nxt + 1 }
    lab:icmp { error = "port-unreachable", about = conn, seq = conn.snd_una - 1 }
    lab:never(client, 0.05):call("connect"):returns()
    lab:expect(client):still_in_state "SYN_SENT"

    lab:icmp { error = "port-unreachable", about = conn }
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
  end,
}
