-- An ICMP error ends a non-blocking connect. poll wakes the program, which must read SO_ERROR to
-- learn the reason. SO_ERROR gives it only once.
return {
  title = "ICMP errors and a non-blocking connect",
  asks = "Where does a non-blocking program find the ICMP error that ended its connect?",
  source = "connect(2), EINPROGRESS; socket(7), SO_ERROR; RFC 1122 section 4.2.3.9",
  here = "In SO_ERROR, which holds the errno that a blocking connect would fail with. The next "
    .. "getsockopt returns 0. poll reports IN|OUT|ERR|HUP. Measured on Linux 6.18.",
  why = "In SYN_SENT, tcp_v4_err() and tcp_v6_err() store the error in sk_err and end the attempt. "
    .. "getsockopt calls sock_error(), which returns the error and clears it.",
  tags = { "connect", "icmp", "non-blocking" },

  run = function(lab)
    local kang = lab:pair()
    local errors = {
      { "net-unreachable", "ENETUNREACH" },
      { "host-unreachable", "EHOSTUNREACH" },
      { "protocol-unreachable", lab.family == 4 and "ENOPROTOOPT" or "EPROTO" },
    }
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    lab:cut("kang > kodos", "tcp")
    for _, answer in ipairs(errors) do
      local error, errno = answer[1], answer[2]
      local client = kang:dnc "--repl"
      client:type("socket nonblock\nconnect kodos 8080\n")
      lab:expect(client):call("connect"):fails "EINPROGRESS"
      lab:expect(client):in_state "SYN_SENT"
      lab:icmp { error = error, about = lab:connection(client), from = router }
      client:type "poll in|out\ngetsockopt SO_ERROR\ngetsockopt SO_ERROR\n"
      lab:expect(client):call("poll"):reports "IN|OUT|ERR|HUP"
      lab:expect(client):call("getsockopt"):gives(errno)
      lab:expect(client):call("getsockopt", "SO_ERROR"):gives(0)
    end
  end,
}
