-- The same ICMP errors, met by a program that does not wait in connect(2): poll wakes it, and the
-- error is in SO_ERROR, where connect's callers have to look for it.
return {
  title = "ICMP answers to a non-blocking connect",
  asks = "Where does a non-blocking program find the ICMP error that ended its connect?",
  source = "connect(2), EINPROGRESS; socket(7), SO_ERROR; RFC 1122 section 4.2.3.9",
  here = "poll says IN|OUT|ERR|HUP, SO_ERROR has the error, once; connect would have failed with "
    .. "the same one. Measured on Linux 6.18.",
  why = "tcp_v4_err() and tcp_v6_err() put the error into sk_err in SYN_SENT and end the attempt. "
    .. "getsockopt takes it out by sock_error().",
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
      client:type("socket " .. lab.family .. " nonblock\nconnect kodos 8080\n")
      lab:expect(client):call("connect"):fails "EINPROGRESS"
      lab:expect(client):in_state "SYN_SENT"
      lab:icmp { error = error, about = lab:connection(client), from = router }
      client:type "poll in|out\ngetsockopt SO_ERROR\ngetsockopt SO_ERROR\n"
      lab:expect(client):call("poll"):reports "IN|OUT|ERR|HUP"
      lab:expect(client):call("getsockopt"):gives(errno)
      lab:expect(client):call("getsockopt"):returns(0)
    end
  end,
}
