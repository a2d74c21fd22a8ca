-- Anyone who knows both ports and the next sequence number can end someone else's connection with
-- one segment. Firewalls that "reset" connections do this, and so do attackers.
return {
  title = "A forged RST with the exact sequence number",
  asks = "What does a forged RST do if its sequence number is exactly right?",
  source = "RFC 9293 section 3.10.7.4; RFC 5961 section 3.2",
  here = "The connection is gone at once: poll reports IN|ERR|HUP, and read fails with "
    .. "ECONNRESET. The other end gets nothing and stays ESTABLISHED. Any Linux version.",
  why = "A RST whose sequence number is RCV.NXT counts as the peer's own (tcp_validate_incoming() "
    .. "and tcp_reset() in net/ipv4/tcp_input.c). A RST is never answered, so the real peer does "
    .. "not notice: the connection is half-open until the peer writes.",
  tags = { "segments", "reset" },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:rst { seq = conn.rcv_nxt }
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:never_packet(0.05, "kang > kodos")
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang?\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
  end,
}
