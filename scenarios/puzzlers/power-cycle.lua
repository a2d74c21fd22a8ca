-- A power cycle makes a host forget its connections, and it does not inform its peers. The peer
-- stays ESTABLISHED until its program writes. That write succeeds; a RST comes back, and the next
-- call fails.
return {
  title = "Power cycle",
  asks = "What happens to an established, idle connection when one end is power cycled?",
  source = "TCP puzzlers, puzzler 1; RFC 9293 section 3.5.1 (half-open connections)",
  article = "Nothing for 20 minutes. Then the write of 22 bytes succeeds, and 0.8 ms later a read "
    .. "fails with ECONNRESET.",
  here = "As in the article, nothing for 20 minutes. Then write returns 22, poll reports "
    .. "IN|ERR|HUP, and read fails with ECONNRESET, once. Measured on Linux 6.18.",
  why = "After the power cycle, the connection exists only in kang's kernel. kodos's new kernel "
    .. "does not know it and answers the segment with a RST (RFC 9293 section 3.5.2, group 1). "
    .. "write(2) had only copied the data into the send buffer.",
  tags = { "puzzlers", "power" },
  quiz = {
    asks = "Kodos is power cycled. 20 minutes later kang's program writes 22 bytes to the old "
      .. "connection. What does it see?",
    { "write returns 22; the next read fails with ECONNRESET", right = true },
    { "write fails with ECONNRESET",
      because = "write only copies into the kernel's buffer. The RST comes after write has "
        .. "returned." },
    { "read failed with ECONNRESET as soon as kodos came back",
      because = "Kodos's new kernel does not know the connection, so it has no peer to inform." },
    { "write returns 22; ETIMEDOUT, a quarter of an hour later",
      because = "ETIMEDOUT means that a host stays off. This one is back, and answers." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)

    kodos:power_cycle()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(kodos):has_no_connection()

    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
  end,
}
