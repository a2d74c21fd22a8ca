-- An ICMP error quotes the packet that it is about. An attacker who does not see that packet must
-- guess its ports and its sequence number. A wrong guess must not end the connection.
return {
  title = "ICMP error with a wrong sequence number",
  asks = "Can an attacker who does not see my packets end my connect(2) with an ICMP error?",
  source = "RFC 5927 section 4.1",
  here = "Not without the sequence number. The kernel ignores an error that quotes a number "
    .. "outside SND.UNA to SND.NXT. The same error with the right number ends connect. Any Linux "
    .. "version.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c and tcp_v6_err() compare the quoted number with "
    .. "SND.UNA and SND.NXT. They count the errors that they ignore in LINUX_MIB_OUTOFWINDOWICMPS "
    .. "(netstat -s).",
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
