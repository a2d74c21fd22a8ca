-- SO_OOBINLINE leaves the urgent byte in the stream. Then recv with MSG_OOB fails, and only
-- SIOCATMARK tells which byte is urgent. A read stops before that byte, so that a program can
-- check.
return {
  title = "Urgent data in line",
  asks = "Where is the urgent byte if SO_OOBINLINE is on?",
  source = "socket(7), SO_OOBINLINE; tcp(7), SIOCATMARK; RFC 6093 section 3",
  here = "In the stream. poll reports IN|PRI, and recv with MSG_OOB fails with EINVAL. read stops "
    .. "before the urgent byte; at that point SIOCATMARK returns 1, and the next read starts with "
    .. "that byte. Measured on Linux 6.18.",
  why = "tcp_check_urg() records where the byte is (urg_data, urg_seq). If SOCK_URGINLINE is set, "
    .. "tcp_recvmsg_locked() does not skip the byte but ends a read before it, and tcp_recv_urg() "
    .. "returns an error at once.",
  tags = { "options", "urgent" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    server:type "setsockopt SO_OOBINLINE on\n"
    lab:expect(server):call("setsockopt", "SO_OOBINLINE"):returns(0)
    client:type "send abc! oob\nsend def\n"
    lab:expect_packet("kang > kodos", "URG")
    lab:expect(client):call("send"):returns(4)
    lab:expect(client):call("send"):returns(3)
    lab:expect_packet("kodos > kang", "ACK only")

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
