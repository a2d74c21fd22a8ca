-- SO_OOBINLINE leaves the urgent byte where it was sent. Then MSG_OOB has nothing to give, and only
-- SIOCATMARK says which byte it is; a read stops in front of it, so that one can ask.
return {
  title = "Urgent data in line",
  asks = "Where is the urgent byte when SO_OOBINLINE is on?",
  source = "socket(7), SO_OOBINLINE; tcp(7), SIOCATMARK; RFC 6093 section 3",
  here = "In the stream. poll says IN|PRI; recv with MSG_OOB is EINVAL; read stops in front of it, "
    .. "SIOCATMARK is 1 there, and the next read begins with it. Linux, measured on 6.18.",
  why = "tcp_check_urg() keeps where it is (urg_data, urg_seq); tcp_recvmsg_locked() does not skip "
    .. "it when SOCK_URGINLINE is set, and ends a read at it; tcp_recv_urg() refuses at once.",
  tags = { "options", "urgent" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "setsockopt SO_OOBINLINE on\n"
    lab:expect(server):call("setsockopt"):returns(0)
    client:type "send abc! oob\nsend def\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-urg != 0")
    lab:expect(client):call("send"):returns(4)
    lab:expect(client):call("send"):returns(3)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")

    server:type "poll in|pri\nrecv 10 oob\nioctl atmark\nread\nioctl atmark\nread 1\n"
    server:type "ioctl atmark\nread\n"
    lab:expect(server):call("poll"):reports "IN|PRI"
    lab:expect(server):call("recv"):fails "EINVAL"
    lab:expect(server):prints "SIOCATMARK 0"
    lab:expect(server):call("read"):returns(3)
    lab:expect(server):prints "SIOCATMARK 1"
    lab:expect(server):call("read"):returns(1)
    lab:expect(server):prints "SIOCATMARK 0"
    lab:expect(server):call("read"):returns(3)
  end,
}
