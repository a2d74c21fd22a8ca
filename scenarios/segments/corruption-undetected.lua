-- TCP's checksum is a 16-bit sum. Some damage leaves the sum unchanged. A box that recomputes the
-- sum (a NAT, a proxy, a network card) hides the damage that it does. The receiver then accepts
-- wrong data.
return {
  title = "Corruption that the checksum does not detect",
  asks = "Can a program read other data than its peer wrote?",
  source = "RFC 9293 section 3.1 (checksum); J. Stone and C. Partridge, When The CRC and TCP "
    .. "Checksum Disagree, SIGCOMM 2000",
  here = "Yes. The receiver acknowledges the damaged data, the program reads it, and neither end "
    .. "gets an error. Any Linux version.",
  why = "The checksum is TCP's only integrity check. Programs that need more must check the data "
    .. "themselves, as TLS does.",
  tags = { "segments", "corruption" },
  quiz = {
    asks = "A NAT damages a frame and then computes a new checksum. What does the reader get?",
    { "The damaged data; neither end gets an error", right = true },
    { "The right data: TCP detects the damage, and the sender retransmits",
      because = "TCP has only its 16-bit checksum, and here that checksum is correct." },
    { "ECONNRESET",
      because = "A segment with a wrong checksum is dropped; that is no error. And here the "
        .. "checksum is correct." },
    { "Nothing: the segment is dropped",
      because = "That happens if the checksum is wrong: tcplab explain segment-corrupted." },
  },

  run = function(lab)
    local client, server = lab:connected()

    lab:corrupt("kang > kodos", "data", { count = 1, bits = 0x20, checksum = "fixed" })
    client:type "pay 100\n"
    lab:expect(client):call("write"):returns(8)
    lab:expect(server):call("read"):returns(8)
    lab:expect(server):prints "Pay 100"
    lab:expect_packet("kodos > kang", "ACK only")
    lab:never_packet(2 * lab:timer("tail_loss_probe", client), "kang > kodos", "data")
  end,
}
