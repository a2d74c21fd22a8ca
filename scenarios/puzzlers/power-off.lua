-- A host that is off sends nothing, and an idle connection to it stays ESTABLISHED forever. The
-- kernel gives up only when written data is never acknowledged.
return {
  title = "Power off",
  asks = "What happens to an established connection when the other end is powered off?",
  source = "TCP puzzlers, puzzler 2; RFC 9293 section 3.8.3; RFC 1122 section 4.2.3.5",
  article = "Nothing until a program writes. The write succeeds; ETIMEDOUT comes 311 s later.",
  here = "As in the article, nothing until a program writes, and the write succeeds. But ETIMEDOUT "
    .. "comes after about 939 s (tcp_retries2 = 15) if the peer's link address stays known, as "
    .. "behind a router. Measured on Linux 6.18.",
  why = "write(2) only fills the send buffer. The kernel retransmits the segment, and waits twice "
    .. "as long each time. After the time that tcp_retries2 allows (retransmits_timed_out() in "
    .. "net/ipv4/tcp_timer.c), it ends the connection with ETIMEDOUT.",
  tags = { "puzzlers", "power" },
  quiz = {
    asks = "Kodos loses its power and stays off. 20 minutes later kang's program writes, then "
      .. "waits in poll. What does it see, with the kernel's own timers?",
    { "write succeeds; ETIMEDOUT after about a quarter of an hour", right = true,
      because = "The quiz uses fast timers, so it takes seconds. --timers stock takes the full "
        .. "time." },
    { "write fails with EPIPE: the connection has been dead for 20 minutes",
      because = "Kang's kernel got no message, and silence alone does not change ESTABLISHED." },
    { "write succeeds; ETIMEDOUT after a few seconds",
      because = "tcp_retries2 = 15 retransmissions, with a wait that doubles each time: 939 s." },
    { "write succeeds, and nothing more ever comes",
      because = "That is true for a program that never writes. Unacknowledged data has a timer." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)

    kodos:power_off()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    local gives_up_after = lab:timer("r2", client)
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    local sent = lab:expect_packet("kang > kodos", "", { fate = "lost" })
    lab:expect(client):within(time_limit):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - sent.t, gives_up_after, "giving up")
    lab:never_packet(0.1 * lab.second, "kodos > kang")
  end,
}
