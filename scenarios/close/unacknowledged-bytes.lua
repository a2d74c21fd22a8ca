-- write(2) returns as soon as the data is in the local send buffer. SIOCOUTQ returns how many bytes
-- the peer has not acknowledged. Neither shows what the peer's program has read.
return {
  title = "Written is not delivered",
  asks = "How can a program find out, before it closes, whether its data has arrived?",
  source = "tcp(7), SIOCOUTQ; RFC 1122 section 4.2.2.13",
  here = "With SIOCOUTQ. While the path is cut, write returns 12 and SIOCOUTQ is 12. Once the "
    .. "path works and the retransmission is acknowledged, SIOCOUTQ is 0. Measured on Linux 6.18.",
  why = "SIOCOUTQ is write_seq - snd_una: the number of bytes that the peer's kernel has not "
    .. "acknowledged, including unsent ones (tcp_ioctl()). It does not show what the peer's "
    .. "program has read.",
  tags = { "close", "options" },
  quiz = {
    asks = "The path is cut. A program writes 12 bytes, and write returns 12. What else can the "
      .. "program find out before it closes?",
    { "ioctl SIOCOUTQ returns 12: the number of unacknowledged bytes", right = true,
      because = "It shows what the peer's kernel has, not what the peer's program has read." },
    { "Nothing: TCP hides that from programs",
      because = "Linux has an ioctl for it, though few programs use it." },
    { "getsockopt SO_ERROR reports that the path is cut",
      because = "The kernel does not know that. It only has a segment that is not acknowledged "
        .. "yet." },
    { "poll does not report OUT, because the data is still in the buffer",
      because = "OUT means that the buffer has room, and it has plenty." },
  },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }

    local cut = lab:cut("kang > kodos")
    client:type "write hello,kodos!\nioctl outq\n"
    lab:expect(client):call("write"):returns(12)
    lab:expect(client):call("ioctl", "SIOCOUTQ"):gives(12)
    -- The data and its first retransmission: however late the script is, both are lost.
    for _ = 1, 2 do lab:expect_packet("kang > kodos", "data", { fate = "lost" }) end
    cut:remove()
    lab:expect(server):prints "hello,kodos!"
    lab:expect_packet("kodos > kang", "ACK only")
    client:type "ioctl outq\n"
    lab:expect(client):call("ioctl", "SIOCOUTQ"):gives(0)
  end,
}
