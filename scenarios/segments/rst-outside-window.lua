-- A RST outside the window is a guess or very old. Linux ignores it.
return {
  title = "A forged RST outside the window",
  asks = "What does a RST do if its sequence number is outside the window?",
  source = "RFC 9293 section 3.10.7.4, first step; RFC 5961 section 3.2",
  here = "Nothing, whether its number is before or after the window: Linux sends no answer, and "
    .. "the state does not change. Any Linux version.",
  why = "Linux drops segments outside the window and answers them with an ACK, except for RSTs: "
    .. "such a RST is only a guess (tcp_validate_incoming() in net/ipv4/tcp_input.c).",
  tags = { "segments", "reset" },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:rst { seq = conn.rcv_nxt + conn.rcv_wnd + 1 }
    conn:rst { seq = conn.rcv_nxt + 2 ^ 31 - 1 }
    conn:rst { seq = conn.rcv_nxt - 1 }
    lab:never_packet(0.1, "kang > kodos")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "nothing happened\n"
    lab:expect(client):prints "nothing happened"
  end,
}
