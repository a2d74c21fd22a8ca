-- A program sets SO_RCVTIMEO, and waits for an answer that does not come. It waits in read, or in
-- poll.
return {
  title = "SO_RCVTIMEO does not limit poll",
  asks = "Does SO_RCVTIMEO end the wait for a server without power?",
  source = "chriskohlhoff/asio#281: asio's synchronous receive ignores SO_RCVTIMEO, because it "
    .. "waits in poll after the receive has failed; socket(7), SO_RCVTIMEO",
  tags = { "clients", "power", "options" },
  cases = {
    {
      name = "read",
      command = "read",
      title = "SO_RCVTIMEO and a client that waits in read",
      here = "Yes: read fails with EAGAIN after SO_RCVTIMEO. The connection stays ESTABLISHED: the "
        .. "program has to close it. Measured on Linux 6.18.",
      why = "tcp_recvmsg() waits no longer than SO_RCVTIMEO. It is a timer of the call, so it "
        .. "works against every failure that is silent, a frozen server too.",
      expect = function(lab, client, timeout)
        local read = lab:expect(client):call("read"):fails "EAGAIN"
        lab:expect_time(read.t - read.entered, timeout, "SO_RCVTIMEO")
      end,
    },
    {
      name = "poll",
      command = "poll",
      title = "SO_RCVTIMEO and a client that waits in poll",
      here = "No: the claim holds. poll waits without end. Measured on Linux 6.18.",
      why = "socket(7): the timeouts have no effect for select, poll and epoll_wait. These have a "
        .. "timeout of their own. So SO_RCVTIMEO helps only a program that blocks in a call that "
        .. "receives.",
      expect = function(lab, client, timeout)
        lab:never(client, 4 * timeout):call("poll"):returns()
      end,
    },
  },

  run = function(lab, case)
    local timeout = 0.5 * lab.second
    local client, _, _, kodos = lab:connected { client = { "--repl" } }
    kodos:power_off()
    client:type("setsockopt SO_RCVTIMEO " .. timeout .. "s\n" .. case.command .. "\n")
    case.expect(lab, client, timeout)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
