-- A host that was power cycled has forgotten its connections; nobody tells the other end. The
-- connection stays ESTABLISHED there until its program writes, and even that write succeeds:
-- only the answer, a RST, tells the kernel, and only the next call tells the program.
return {
  title = "Power cycle",
  asks = "What happens to an established, idle connection when one end is power cycled?",
  source = "TCP puzzlers, puzzler 1; RFC 9293 section 3.5.1 (half-open connections)",
  article = "Nothing for 20 minutes. Then the write of 22 bytes succeeds, and 0.8 ms later a "
    .. "read fails with ECONNRESET.",
  here = "The same: write returns 22, poll reports IN|ERR|HUP, read fails with ECONNRESET, once. "
    .. "Measured on Linux 6.18.",
  why = "The old connection exists only in kang's kernel. kodos's new kernel has never heard of "
    .. "it and answers the segment with a RST (RFC 9293 section 3.5.2, group 1); write(2) had "
    .. "only to copy into the send buffer.",
  tags = { "puzzlers", "power" },
  quiz = {
    asks = "Kodos is power cycled. 20 minutes later kang's program writes 22 octets to the "
      .. "old connection. What does it learn?",
    { "write returns 22; the next read fails with ECONNRESET", right = true },
    { "write fails with ECONNRESET",
      because = "write only copies into the kernel's buffer. The RST comes after it has "
        .. "returned." },
    { "It knew before: read failed with ECONNRESET when kodos came back",
      because = "Kodos's new kernel knows of no connection, so it has nobody to tell." },
    { "write returns 22; ETIMEDOUT, a quarter of an hour later",
      because = "That is how a host that stays off is found. This one is back, and answers." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_cycle()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(kodos):has_no_connection()

    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
  end,
}
