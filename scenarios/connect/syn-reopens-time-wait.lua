-- TIME_WAIT keeps old segments out of a new connection. A SYN that is certainly newer than the old
-- connection need not wait: the server reopens the connection from TIME_WAIT at once.
return {
  title = "New connection from TIME_WAIT",
  asks = "Can a client reconnect from the same port while the server is in TIME_WAIT?",
  source = "RFC 6191; RFC 9293 section 3.10.7.4 (TIME-WAIT, MAY-2); RFC 1122 section 4.2.2.13",
  here = "Yes, at once. The server answers the SYN and goes from TIME_WAIT to SYN_RECV. Any Linux "
    .. "version.",
  why = "tcp_timewait_state_process() accepts a SYN whose sequence number or timestamp is higher "
    .. "than the last one of the old connection. It ends TIME_WAIT and passes the SYN to the "
    .. "listener.",
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
