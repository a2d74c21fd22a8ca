-- SO_REUSEADDR is not for two servers at once: as long as one listens nobody else may bind. Two
-- that bind before either listens get as far as listen, where the second is told.
return {
  title = "Two listeners on one port",
  asks = "Can two servers listen on the same port when both set SO_REUSEADDR?",
  source = "listen(2), EADDRINUSE; bind(2), EADDRINUSE; socket(7), SO_REUSEADDR, SO_REUSEPORT",
  here = "No: bind fails with EADDRINUSE while another listens; two that are bound already meet "
    .. "EADDRINUSE at listen. SO_REUSEPORT is what allows it. Any Linux since 3.9.",
  why = "SO_REUSEADDR shares a port with any socket but one in LISTEN (inet_csk_bind_conflict()); "
    .. "listen asks the same question again (inet_csk_listen_start()), since the answer may have "
    .. "changed after bind.",
  tags = { "connect", "bind", "listen" },

  run = function(lab)
    local _, kodos = lab:pair()
    local function bound(option)
      local program = kodos:dnc("--repl")
      program:type("socket " .. lab.family .. "\nsetsockopt " .. option .. " on\nbind 8080\n")
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
