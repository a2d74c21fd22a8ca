-- O_NONBLOCK makes read, write, accept and connect return at once. It has no effect on close(2)
-- with SO_LINGER, which can block the only thread of an event loop.
return {
  title = "SO_LINGER on a non-blocking socket",
  asks = "Does close(2) block on a socket that is O_NONBLOCK?",
  source = "socket(7), SO_LINGER; inet_release() in net/ipv4/af_inet.c",
  here = "Yes, for the linger time, if the peer does not acknowledge. Other systems return "
    .. "EWOULDBLOCK. Measured on Linux 6.18.",
  why = "inet_release() passes sk_lingertime to tcp_close() unless the process is exiting. It "
    .. "does not check the file's flags.",
  tags = { "close", "options", "power" },

  run = function(lab)
    local linger = 1 -- second, the unit of SO_LINGER
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--repl", "--linger", linger } })

    kodos:power_off()
    client:type "nonblock on\nwrite goodbye\nclose\n"
    lab:expect(client):call("fcntl"):returns(0)
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect_time(close.t - close.entered, linger, "close(2)")
  end,
}
