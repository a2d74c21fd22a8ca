-- TIME_WAIT keeps segments of the past out of a new connection. A SYN that is certainly newer than
-- all of them need not wait: it opens the connection anew, from the same port.
return {
  title = "A new connection out of TIME_WAIT",
  asks = "Can a client connect again from the same port while the server is in TIME_WAIT?",
  source = "RFC 6191; RFC 9293 section 3.10.7.4 (TIME-WAIT, MAY-2); RFC 1122 section 4.2.2.13",
  here = "Yes, at once: the SYN is answered, and TIME_WAIT gives way to SYN_RECV. Any Linux.",
  why = "tcp_timewait_state_process() lets a SYN through whose timestamp, or else whose sequence "
    .. "number, is beyond the last one of the old connection. It ends TIME_WAIT and gives the SYN "
    .. "to the listener.",
  tags = { "connect", "time-wait", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local first = kang:dnc("--on-stdin-eof", "close", "-p", 1111, kodos, 8080)
    lab:expect(server):call("accept"):returns()
    server:type "close\n"
    lab:expect(kodos):in_state "FIN_WAIT2"
    lab:expect(first):call("read"):returns(0)
    first:close_stdin()
    lab:expect(first):exits(0)
    lab:expect(kodos):in_state "TIME_WAIT"
    lab:expect(kang):has_no_connection()

    server:type "accept\n"
    local second = kang:dnc("-p", 1111, kodos, 8080)
    for _, state in ipairs { "SYN_RECV", "ESTABLISHED" } do
      lab:expect(kodos):in_state(state)
    end
    lab:expect(second):call("connect"):returns(0)
    lab:expect(server):call("accept"):returns()
    second:type "hello again\n"
    server:type "read\n"
    lab:expect(server):call("read"):returns(12)
  end,
}
