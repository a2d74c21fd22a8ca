-- The kernel gives up on a dead neighbour while the programs do something else. The next call of
-- each program gets the error, once: EHOSTUNREACH, because ARP or neighbour discovery has failed.
local wait_until_given_up = include "given_up.lib.lua"

return {
  title = "EHOSTUNREACH is reported once",
  asks = "What does write return after the kernel has given up on a neighbour on the same LAN?",
  source = "socket(7), SO_ERROR; tcp(7), ERRORS; RFC 9293 section 3.8.3",
  here = "EHOSTUNREACH instead of ETIMEDOUT, to the first call that checks: write or SO_ERROR. "
    .. "After that read returns 0, and write fails with EPIPE. Only SO_ERROR gives EHOSTUNREACH a "
    .. "second time. Measured on Linux 6.18.",
  why = "The failure of ARP or neighbour discovery is stored as a soft error (sk_err_soft), and "
    .. "tcp_write_err() prefers it to ETIMEDOUT. The call that reports the error also clears it "
    .. "(sock_error()). The soft error stays. SO_ERROR returns and clears it when there is no "
    .. "other (sk_getsockopt() in net/core/sock.c).",
  tags = { "power", "timeout" },

  run = function(lab)
    local writer, asker = wait_until_given_up(lab, { neighbours = "dynamic" })

    writer:type "write again\nread\nwrite again\n"
    lab:expect(writer):call("write"):fails "EHOSTUNREACH"
    lab:expect(writer):call("read"):returns(0)
    lab:expect(writer):call("write"):fails "EPIPE"
    asker:type "getsockopt SO_ERROR\nread\ngetsockopt SO_ERROR\ngetsockopt SO_ERROR\n"
    lab:expect(asker):call("getsockopt"):gives "EHOSTUNREACH"
    lab:expect(asker):call("read"):returns(0)
    lab:expect(asker):call("getsockopt"):gives "EHOSTUNREACH" -- the soft error
    lab:expect(asker):call("getsockopt", "SO_ERROR"):gives(0)
  end,
}
