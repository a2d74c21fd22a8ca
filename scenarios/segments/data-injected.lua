-- If forged data has the right sequence numbers, the receiver accepts it. From then on the two ends
-- disagree about how much was sent, and each answers the other's ACKs.
return {
  title = "Injected data and the ACK loop",
  asks = "What happens to a connection after an attacker injects data into it?",
  source = "RFC 9293 section 3.10.7.4; RFC 5961 section 5; ip-sysctl, tcp_invalid_ratelimit",
  here = "The program reads the injected data, and its kernel acknowledges more than the peer has "
    .. "sent. The peer answers that ACK with one that carries its real sequence number, and the "
    .. "first end answers again: an ACK loop. tcp_invalid_ratelimit stops it: each end sends at "
    .. "most one such ACK per 500 ms. Linux 4.0 or newer. On Linux 6.1 the peer drops the first "
    .. "ACK without an answer, so there is no loop.",
  why = "tcp_ack() answers an ACK of unsent data with a challenge ACK, and "
    .. "tcp_validate_incoming() acknowledges a segment from before the window. Neither reports an "
    .. "error to the program. The peer's own data with the same sequence numbers looks like a "
    .. "retransmission and is never read: the two ends now disagree about the stream.",
  tags = { "segments", "data" },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    lab:connection(client):data "pay the bearer 1000\n"
    lab:expect(client):prints "pay the bearer 1000"
    local too_much = lab:expect_packet("kang > kodos", "ACK only")
    local correction = lab:expect_packet("kodos > kang", "ACK only", { since = "6.18" })
    if correction then
      lab:check(too_much.ack - correction.seq == 20, "kang's ACK is 20 bytes ahead")
      lab:expect_packet("kang > kodos", "ACK only")
    end

    -- As many bytes as were injected: kang's kernel takes them for a retransmission.
    server:type "pay kang nothing...\n"
    lab:expect(server):call("write"):returns(20)
    lab:never(client, 0.3):prints "nothing"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "from here on we agree again\n"
    lab:expect(client):prints "from here on we agree again"
  end,
}
