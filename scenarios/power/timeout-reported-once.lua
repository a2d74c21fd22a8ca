-- The kernel gives up on a dead peer while the programs do something else. The next call of each
-- program gets the error, once. One program calls write; the other asks for SO_ERROR.
local wait_until_given_up = include "given_up.lib.lua"

return {
  title = "ETIMEDOUT is reported once",
  asks = "Which call returns ETIMEDOUT after the kernel has given up on a connection?",
  source = "socket(7), SO_ERROR; tcp(7), ERRORS; RFC 9293 section 3.8.3",
  here = "The first call that checks for an error: write fails with it, or getsockopt returns it. "
    .. "After that read returns 0, and write fails with EPIPE. Measured on Linux 6.18.",
  why = "tcp_write_err() stores ETIMEDOUT in sk_err. The call that reports the error also clears "
    .. "it: sock_error() exchanges sk_err with 0.",
  tags = { "power", "timeout" },

  run = function(lab)
    local writer, asker = wait_until_given_up(lab)

    writer:type "write again\nread\nwrite again\n"
    lab:expect(writer):call("write"):fails "ETIMEDOUT"
    lab:expect(writer):call("read"):returns(0)
    lab:expect(writer):call("write"):fails "EPIPE"
    asker:type "getsockopt SO_ERROR\nread\ngetsockopt SO_ERROR\n"
    lab:expect(asker):call("getsockopt"):gives "ETIMEDOUT"
    lab:expect(asker):call("read"):returns(0)
    lab:expect(asker):call("getsockopt", "SO_ERROR"):gives(0)
  end,
}
