-- On one LAN there is a second clock: the neighbour table. When the host that is off no longer
-- answers ARP (or neighbour solicitations), kang's kernel knows more than "no answer", and says
-- so: EHOSTUNREACH instead of ETIMEDOUT.
return {
  title = "Power off, on the same LAN",
  asks = "What does a host see of a neighbour on its own LAN that is powered off?",
  source = "TCP puzzlers, puzzler 2, as Linux sees it on one Ethernet; RFC 4861 section 7.3",
  article = "ETIMEDOUT after 311 s (illumos).",
  here = "EHOSTUNREACH, after about 959 s with the kernel's defaults; the last retransmissions "
    .. "never leave the host. Measured on Linux 6.18.",
  why = "When the neighbour's link address cannot be resolved, the kernel raises the soft error "
    .. "EHOSTUNREACH on the connection, and goes on trying, without the back-off of those tries "
    .. "(RFC 6069). When tcp_retries2's time has passed, tcp_write_err() reports the soft error in "
    .. "place of ETIMEDOUT.",
  tags = { "puzzlers", "power" },
  quiz = {
    asks = "Kodos is off, as in puzzler 2, but both are on one Ethernet, and kang finds link "
      .. "addresses by ARP or neighbour discovery. Which error does the program get?",
    { "EHOSTUNREACH", right = true },
    { "ETIMEDOUT, as behind a router",
      because = "The kernel knows more than \"no answer\" here: nobody answers for the link "
        .. "address." },
    { "ECONNRESET", because = "For that somebody would have to send a RST, and nobody is there." },
    { "ENETUNREACH",
      because = "The network is there, with a route to it; it is the neighbour that does not "
        .. "answer." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { neighbours = "learnt" }
    kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local gives_up_after = lab:timer("retransmission_timeout", client)
    local patience = gives_up_after * 1.5 + 2 * lab.second
    lab:expect_packet("kang > kodos", lab.family == 4 and "arp" or "icmp6", { within = patience })
    lab:expect(client):within(patience):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "EHOSTUNREACH"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - write.t, lab:timer("retransmission_limit", kang), gives_up_after,
      "giving up")
  end,
}
