-- Two servers with SO_REUSEADDR cannot listen on one port. While one listens, the other's bind
-- fails. If both bind before either listens, the second listen fails, so a program must check both
-- calls.
return {
  title = "Two listeners on one port",
  asks = "Can two servers listen on the same port if both set SO_REUSEADDR?",
  source = "listen(2), EADDRINUSE; bind(2), EADDRINUSE; socket(7), SO_REUSEADDR, SO_REUSEPORT",
  here = "No. bind fails with EADDRINUSE while another socket listens. If both are already bound, "
    .. "the second listen fails with EADDRINUSE. SO_REUSEPORT (Linux 3.9 or newer) allows both.",
  why = "SO_REUSEADDR shares a port with any socket that is not in LISTEN "
    .. "(inet_csk_bind_conflict()). listen checks again (inet_csk_listen_start()), because another "
    .. "socket may have started to listen since bind.",
  tags = { "connect", "bind", "listen" },

  run = function(lab)
    local _, kodos = lab:pair()
    local function bound(option)
      local program = kodos:dnc("--repl")
      program:type("socket\nsetsockopt " .. option .. " on\nbind 8080\n")
      return program
    end
    local first, second = bound "SO_REUSEADDR", bound "SO_REUSEADDR"
    lab:expect(first):call("bind"):returns(0)
    lab:expect(second):call("bind"):returns(0)
    first:type "listen\n"
    lab:expect(first):call("listen"):returns(0)
    second:type "listen\n"
    lab:expect(second):call("listen"):fails "EADDRINUSE"
    lab:expect(bound "SO_REUSEADDR"):call("bind"):fails "EADDRINUSE"

    first:type "close\n"
    second:type "close\n"
    lab:expect(second):call("close"):returns(0)
    for _ = 1, 2 do
      local sharer = bound "SO_REUSEPORT"
      sharer:type "listen\n"
      lab:expect(sharer):call("listen"):returns(0)
    end
  end,
}
