-- With SO_REUSEADDR two sockets may be bound to the same port, as long as they connect to different
-- places. Only connect can tell that they do not.
return {
  title = "The same four numbers",
  asks = "What happens when two sockets connect from the same port to the same place?",
  source = "connect(2), EADDRNOTAVAIL; socket(7), SO_REUSEADDR; RFC 9293 section 3.10.1",
  here = "Both are bound; the second connect fails with EADDRNOTAVAIL, before any SYN. To another "
    .. "port of the same host it succeeds. Any Linux.",
  why = "A connection is its four numbers. inet_csk_bind_conflict() can only ask about the local "
    .. "two; __inet_check_established() finds at connect that all four are taken.",
  tags = { "connect", "bind", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kodos:dnc("-l", 8081)
    local function bound()
      local program = kang:dnc("--repl")
      program:type("socket " .. lab.family .. "\nsetsockopt SO_REUSEADDR on\nbind 1111\n")
      lab:expect(program):call("bind"):returns(0)
      return program
    end
    local first, second = bound(), bound()
    first:type "connect kodos 8080\n"
    lab:expect(first):call("connect"):returns(0)
    second:type "connect kodos 8080\nconnect kodos 8081\n"
    lab:expect(second):call("connect"):fails "EADDRNOTAVAIL"
    lab:expect(second):call("connect"):returns(0)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(second):in_state "ESTABLISHED"
  end,
}
