-- shutdown(SHUT_RD) changes only the local socket. The peer does not notice it. The kernel still
-- receives and acknowledges what the peer sends, and the program can still read it.
return {
  title = "shutdown(SHUT_RD), then the peer writes",
  asks = "Does shutdown(SHUT_RD) stop the peer?",
  source = "shutdown(2); RFC 9293 section 3.10 (no segment tells the peer about it)",
  here = "No. No frame is sent. While no data is there, poll reports IN|RDHUP and read returns 0. "
    .. "The kernel acknowledges what the peer writes, and the next read returns it. Measured on "
    .. "Linux 6.18.",
  why = "shutdown sets RCV_SHUTDOWN on the socket and does nothing else. tcp_recvmsg_locked() "
    .. "empties the receive queue first and returns 0 only when the queue is empty. "
    .. "tcp_shutdown() sends a FIN only for SEND_SHUTDOWN.",
  tags = { "close", "half-close" },
  quiz = {
    asks = "A program calls shutdown(SHUT_RD). Then the peer writes. What happens?",
    { "The data is acknowledged, and read returns it", right = true,
      because = "SHUT_RD only sets a flag. No frame informs the peer, and read still empties the "
        .. "receive queue." },
    { "The peer's write fails with EPIPE",
      because = "The peer cannot know. TCP has no segment that says \"I will not read\"." },
    { "The data is answered with a RST",
      because = "That happens on a closed socket. POSIX says that no more data is received; Linux "
        .. "still receives it." },
    { "The data is acknowledged and discarded; read returns 0",
      because = "read returns 0 only while there is no data." },
  },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }

    client:type "shutdown rd\npoll in|rdhup\nread\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):call("poll"):reports "IN|RDHUP"
    lab:expect(client):call("read"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")

    server:type "did you not want to hear?\n"
    lab:expect(server):call("write"):returns(26)
    lab:expect_packet("kang > kodos", "ACK only")
    client:type "read\nread\n"
    lab:expect(client):call("read"):returns(26)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
