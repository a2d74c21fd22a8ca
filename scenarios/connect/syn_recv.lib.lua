-- Brings a program on kang into SYN_RECV by a simultaneous open. A server's half-open connection
-- would have no program. Returns that program, the one on kodos, which is in SYN_SENT, and the
-- fault that holds kang's segments.
return function(lab, kang, kodos)
  local held = lab:hold("kang > kodos", "tcp")
  local to_kang = lab:hold("kodos > kang", "tcp")
  local client = kang:dnc("--repl")
  client:type("socket nonblock\nbind 1111\nconnect kodos 2222\n")
  local other = kodos:dnc("-p", 2222, kang, 1111)
  lab:expect(client):in_state "SYN_SENT"
  lab:expect(other):in_state "SYN_SENT"
  lab:expect_packet("kodos > kang", "SYN", { fate = "held" })
  to_kang:remove()
  lab:expect(client):in_state "SYN_RECV"
  return client, other, held
end
