-- Data that somebody else puts into a connection is taken, if its numbers are right; from then on
-- the two ends disagree about how much was sent. Each corrects the other, for ever.
return {
  title = "Injected data and the ACK loop",
  asks = "What happens to a connection into which somebody else has put data?",
  source = "RFC 9293 section 3.10.7.4; RFC 5961 section 5; ip-sysctl, tcp_invalid_ratelimit",
  here = "The program reads it. Its kernel acknowledges more than the peer ever sent; the peer "
    .. "answers that with an ACK of what it did send, which the first answers again: an ACK loop, "
    .. "that tcp_invalid_ratelimit holds down to one in 500 ms from each end. Linux 4.0 or newer.",
  why = "tcp_ack() challenges an ACK of unsent data, and tcp_validate_incoming() acknowledges a "
    .. "segment from before the window; neither tells a program. The peer's own data of the same "
    .. "numbers is taken for a repetition and never read: the streams have parted.",
  tags = { "segments", "data" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    lab:connection(client):data "pay the bearer 1000\n"
    lab:expect(client):prints "pay the bearer 1000"
    local too_much = lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    local correction = lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    if too_much.ack - correction.seq ~= 20 then error "they agree" end
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")

    -- As many octets as were injected: a repetition, to kang's kernel, that only needs its ACK.
    server:type "pay kang nothing...\n"
    lab:expect(server):call("write"):returns(20)
    lab:never(client, 0.3):prints "nothing"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "from here on we agree again\n"
    lab:expect(client):prints "from here on we agree again"
  end,
}
