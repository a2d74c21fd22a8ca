-- shutdown(SHUT_WR) ends one direction and leaves the other one open. A program that keeps its
-- socket in FIN_WAIT2 can wait forever, because tcp_fin_timeout applies only to orphans.
return {
  title = "shutdown(SHUT_WR), then write",
  asks = "What still works after shutdown(SHUT_WR), and how long does FIN_WAIT2 last?",
  source = "shutdown(2); tcp(7), tcp_fin_timeout; RFC 9293 section 3.6, case 1",
  here = "Reading still works: the peer's data arrives. write fails with EPIPE at once and sends "
    .. "nothing. FIN_WAIT2 has no time limit; here it outlasts tcp_fin_timeout. Measured on Linux "
    .. "6.18.",
  why = "The FIN ends this side's stream (SEND_SHUTDOWN, checked by tcp_sendmsg_locked()). RFC "
    .. "9293 lets a socket in FIN-WAIT-2 receive, and has no timer for it. Linux sets a timer "
    .. "only for a socket without a program (tcp_fin_time() in tcp_close()).",
  tags = { "close", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "--repl", "--ignore-sigpipe" } })

    client:type "shutdown wr\nwrite more\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"

    lab:wait(1.5 * lab:timer("fin_timeout", kang))
    lab:expect(client):still_in_state "FIN_WAIT2"
    server:type "still talking\n"
    client:type "read\n"
    lab:expect(client):call("read"):returns(14)
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect(client):still_in_state "FIN_WAIT2"
  end,
}
