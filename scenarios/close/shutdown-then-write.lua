-- shutdown(SHUT_WR) ends one direction for good and leaves the other open, for as long as the
-- peer likes: a program that holds its FIN_WAIT2 waits for ever, as tcp_fin_timeout is for
-- orphans only.
return {
  title = "shutdown(SHUT_WR), then write",
  asks = "What still works after shutdown(SHUT_WR), and how long does FIN_WAIT2 last then?",
  source = "shutdown(2); tcp(7), tcp_fin_timeout; RFC 9293 section 3.6, case 1",
  here = "write: EPIPE at once, nothing is sent. The peer's data still arrives. FIN_WAIT2 stays: "
    .. "far beyond tcp_fin_timeout. Measured on Linux 6.18.",
  why = "The FIN is the end of what this side may say (SEND_SHUTDOWN, tcp_sendmsg_locked()). RFC "
    .. "9293 lets FIN-WAIT-2 receive; it has no timer there, and Linux gives one only to a socket "
    .. "that no program has any more (tcp_fin_time() in tcp_close()).",
  tags = { "close", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

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
    lab:expect(client):still_in_state "FIN_WAIT2"
  end,
}
