-- TCP's checksum is a sum of 16 bits. Damage that leaves the sum as it is, or that is done by a
-- box that computes it anew (a NAT, a proxy, a network card), arrives as if it was meant.
return {
  title = "Damage that the checksum does not see",
  asks = "Can a program read something else than what was written to the connection?",
  source = "RFC 9293 section 3.1 (checksum); J. Stone and C. Partridge, When The CRC and TCP "
    .. "Checksum Disagree, SIGCOMM 2000",
  here = "Yes: the damaged text is read, acknowledged, and nobody is told. Any Linux.",
  why = "The checksum is all that TCP has. Where what was written must be what is read, the "
    .. "programs have to see to it themselves, as TLS does.",
  tags = { "segments", "corruption" },
  quiz = {
    asks = "A frame is damaged on its way, by a box that then makes a new checksum, such as a "
      .. "NAT. What does the reader get?",
    { "The damaged data, and nobody is told", right = true },
    { "The right data: TCP notices, and has it sent again",
      because = "TCP has a checksum of 16 bits and nothing else, and that one is right here." },
    { "ECONNRESET",
      because = "A segment that does not check is dropped, not an error; and this one does "
        .. "check." },
    { "Nothing: the segment is dropped",
      because = "That is what happens with a wrong checksum: tcplab explain segment-corrupted." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local data = "tcp[tcpflags] & tcp-push != 0"
    lab:corrupt("kang > kodos", data, { count = 1, bits = 0x20, checksum = "mended" })
    client:type "pay 100\n"
    lab:expect(client):call("write"):returns(8)
    lab:expect(server):call("read"):returns(8)
    lab:expect(server):prints "Pay 100"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:never_packet(2 * lab:timer("tail_loss_probe", client), "kang > kodos", data)
  end,
}
