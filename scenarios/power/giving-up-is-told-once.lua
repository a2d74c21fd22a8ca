-- The kernel gives a dead peer up while the program is elsewhere. Whichever call comes first is
-- told why, and only that one: here a program that writes, and one that asks for SO_ERROR.
return {
  title = "Giving up is told once, to whoever asks first",
  asks = "The kernel has given a connection up: which call says ETIMEDOUT?",
  source = "socket(7), SO_ERROR; tcp(7), ERRORS; RFC 9293 section 3.8.3",
  here = "The first that asks: write fails with it, or getsockopt gives it. After that it is "
    .. "gone: read says 0, write EPIPE. Measured on Linux 6.18.",
  why = "tcp_write_err() puts ETIMEDOUT into sk_err. Whoever reports it takes it out: sock_error() "
    .. "exchanges it with 0.",
  tags = { "power", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--repl", "-l", 8080)
    kodos:dnc("--repl", "-l", 8081)
    local writer = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    local asker = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8081)
    lab:expect(writer):in_state "ESTABLISHED"
    lab:expect(asker):in_state "ESTABLISHED"

    kodos:power_off()
    local patience = lab:timer("retransmission_timeout", writer) * 1.5 + 2 * lab.second
    for _, program in ipairs { writer, asker } do
      program:type "write hello\n"
      lab:expect(program):call("write"):returns(5)
    end
    lab:expect(writer):within(patience):in_state "CLOSED"
    lab:expect(asker):within(patience):in_state "CLOSED"

    writer:type "write again\nread\nwrite again\n"
    lab:expect(writer):call("write"):fails "ETIMEDOUT"
    lab:expect(writer):call("read"):returns(0)
    lab:expect(writer):call("write"):fails "EPIPE"
    asker:type "getsockopt SO_ERROR\nread\ngetsockopt SO_ERROR\n"
    lab:expect(asker):call("getsockopt"):gives "ETIMEDOUT"
    lab:expect(asker):call("read"):returns(0)
    lab:expect(asker):call("getsockopt"):returns(0)
  end,
}
