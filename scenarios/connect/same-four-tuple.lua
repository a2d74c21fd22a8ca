-- With SO_REUSEADDR two sockets can be bound to the same local port, if they connect to different
-- destinations. bind cannot know the destination, so only connect detects the conflict.
return {
  title = "Two sockets with the same 4-tuple",
  asks = "What happens if two sockets connect from the same port to the same destination?",
  source = "connect(2), EADDRNOTAVAIL; socket(7), SO_REUSEADDR; RFC 9293 section 3.10.1",
  here = "Both bind calls return 0. The second connect fails with EADDRNOTAVAIL, before any SYN. "
    .. "To another port of the same host it succeeds. Any Linux version.",
  why = "A connection is identified by its 4-tuple: both addresses and both ports. "
    .. "inet_csk_bind_conflict() knows only the local half. __inet_check_established() compares "
    .. "all four during connect.",
  tags = { "connect", "bind", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kodos:dnc("-l", 8081)
    local function bound()
      local program = kang:dnc("--repl")
      program:type("socket\nsetsockopt SO_REUSEADDR on\nbind 1111\n")
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
