-- Two segments change places on their way, as they do where a router has two paths. It looks like
-- a loss, for a moment: the receiver must wait, and the sender must not be hasty.
return {
  title = "Data arrives out of order",
  asks = "What happens when a segment is overtaken by the next?",
  source = "RFC 9293 section 3.10.7.4 (sixth and seventh step); RFC 2018; RFC 8985 section 6.2",
  here = "The later segment is kept, and reported by SACK; the program reads nothing before the "
    .. "earlier one is there, and then all of it. Nothing is sent again. Any Linux with tcp_sack "
    .. "= 1.",
  why = "The segment goes to the out-of-order queue (tcp_data_queue_ofo()), the ACK repeats the "
    .. "number that is missing and has the SACK block. One such ACK does not make the sender "
    .. "believe in a loss (tcp_reordering; RACK allows a reordering window).",
  tags = { "segments", "reordering" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local large = "greater 500"
    lab:reorder("kang > kodos", large, { nth = 1, behind = 1 })
    client:type(string.rep("x", 2500))
    lab:expect(client):call("write"):returns(2500)
    local second = lab:expect_packet("kang > kodos", large)
    local first = lab:expect_packet("kang > kodos", large)
    if second.seq <= first.seq then error "they came in order" end
    local sack = lab:expect_packet("kodos > kang", "tcp[12] & 0xf0 > 0x80")
    if not sack.summary:find "ack 1,.*sack %d+:2501" then error(sack.summary) end
    lab:expect(server):call("read"):returns(2500)
    lab:never_packet(2 * lab:timer("tail_loss_probe", client), "kang > kodos", large)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
