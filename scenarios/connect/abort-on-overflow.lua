-- With tcp_abort_on_overflow a server whose accept queue is full answers the last ACK of a
-- handshake with a RST. The client is ESTABLISHED by then, so it sees a connection reset, not a
-- connection refused.
return {
  title = "tcp_abort_on_overflow resets the client",
  asks = "What does a client see if the accept queue is full and tcp_abort_on_overflow is set?",
  source = "ip-sysctl, tcp_abort_on_overflow",
  here = "connect returns 0. Then a RST arrives, and read fails with ECONNRESET. Any Linux "
    .. "version.",
  why = "When the last ACK arrives, tcp_v4_syn_recv_sock() checks the accept queue again. If it is "
    .. "full, tcp_check_req() sends a RST and drops the request. Without the sysctl it only drops "
    .. "the ACK.",
  tags = { "connect", "backlog", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_abort_on_overflow"] = 1 } }
    kodos:dnc("--backlog", 1, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    -- Both handshakes must have begun before either ends, or the SYN of the last one is dropped.
    local second, third = kang:dnc("--repl"), kang:dnc("--repl")
    local function connect_but_hold_ack(client, port)
      local ack = lab:hold("kang > kodos", "src port " .. port .. " and tcp[tcpflags] == tcp-ack")
      client:type("socket\nbind " .. port .. "\nconnect kodos 8080\n")
      lab:expect_packet("kang > kodos", "ACK only", { fate = "held" })
      return ack
    end
    local second_ack = connect_but_hold_ack(second, 1111)
    local third_ack = connect_but_hold_ack(third, 2222)
    lab:expect(third):call("connect"):returns(0)
    third:type "poll in\nread\n"
    second_ack:remove()
    third_ack:remove()

    lab:expect_packet("kodos > kang", "tcp dst port 2222 and tcp[tcpflags] & tcp-rst != 0")
    lab:expect(third):call("poll"):reports "IN|ERR|HUP"
    lab:expect(third):call("read"):fails "ECONNRESET"
    lab:expect(third):in_state "CLOSED"
    lab:expect(second):in_state "ESTABLISHED"
  end,
}
