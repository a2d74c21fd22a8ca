-- A host on the same LAN is powered off and no longer answers ARP or neighbour solicitations.
-- kang's kernel then reports EHOSTUNREACH instead of ETIMEDOUT.
return {
  title = "Power off, on the same LAN",
  asks = "What does a host see when a neighbour on its own LAN is powered off?",
  source = "TCP puzzlers, puzzler 2, as Linux sees it on one Ethernet; RFC 4861 section 7.3",
  article = "ETIMEDOUT after 311 s (illumos).",
  here = "EHOSTUNREACH, after about 959 s by default. The last retransmissions never leave the "
    .. "host. Measured on Linux 6.18.",
  why = "When the kernel cannot resolve the neighbour's link address, it stores EHOSTUNREACH as a "
    .. "soft error of the connection. It keeps retransmitting, without back-off for these "
    .. "attempts (RFC 6069). After the time that tcp_retries2 allows, tcp_write_err() reports the "
    .. "soft error instead of ETIMEDOUT.",
  tags = { "puzzlers", "power" },
  quiz = {
    asks = "Kodos is off, as in puzzler 2, but both hosts are on one Ethernet, and kang finds "
      .. "link addresses by ARP or neighbour discovery. Which error does the program get?",
    { "EHOSTUNREACH", right = true },
    { "ETIMEDOUT, as behind a router",
      because = "Here the kernel knows more: it cannot resolve the link address." },
    { "ECONNRESET", because = "That takes a RST, and no host is there to send one." },
    { "ENETUNREACH",
      because = "The network and a route to it exist. Only the neighbour does not answer." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { neighbours = "dynamic" }
    local client = lab:connect(kang, kodos)

    kodos:power_off()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local gives_up_after = lab:timer("r2", client)
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    lab:expect_packet("kang > kodos", lab.family == 4 and "arp" or "icmp6", { within = time_limit })
    lab:expect(client):within(time_limit):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "EHOSTUNREACH"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - write.entered, lab:timer("r2_limit", kang), gives_up_after,
      "giving up")
  end,
}
