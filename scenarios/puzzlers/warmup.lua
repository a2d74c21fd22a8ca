-- The ordinary close, as a baseline for the puzzlers. One program exits, and its kernel sends a
-- FIN. The other program reads end of stream and closes, too.
return {
  title = "Warm-up: one side exits",
  asks = "What do both ends see when one program exits and the other closes at end of stream?",
  source = "TCP puzzlers, warm-up; RFC 9293 section 3.6 (closing a connection)",
  article = "The peer polls 1, reads 0 and closes. The side that closed first stays in TIME_WAIT "
    .. "for two minutes.",
  here = "As in the article, the peer's poll returns 1, its read returns 0, and it closes. But "
    .. "TIME_WAIT lasts 60 s, which is fixed in the kernel. Measured on Linux 6.18.",
  why = "Ctrl-C ends the program, so its kernel closes the socket and sends a FIN: FIN_WAIT1, "
    .. "then FIN_WAIT2 once the FIN is acknowledged. The peer is in CLOSE_WAIT until its program "
    .. "closes, then in LAST_ACK. The side that closed first stays in TIME_WAIT until old "
    .. "segments have expired (TCP_TIMEWAIT_LEN in include/net/tcp.h).",
  tags = { "puzzlers", "close" },
  quiz = {
    asks = "Kang's program ends by Ctrl-C; kodos's program closes when it reads end of stream. "
      .. "Which kernel still has state of the connection, and which state?",
    { "Kang's, which closed first: TIME_WAIT", right = true },
    { "Kodos's, which closed last: TIME_WAIT",
      because = "The side that closes last waits in LAST_ACK for one ACK. After that nothing is "
        .. "left." },
    { "Both: TIME_WAIT",
      because = "That happens only if both close at the same moment: see tcplab explain "
        .. "simultaneous-close." },
    { "Neither: both have closed",
      because = "The last ACK may be lost, and old segments may still be in flight. TIME_WAIT is "
        .. "there for both." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--nc", "-l", 8080)
    local client = kang:dnc("--nc", kodos, 8080)
    for _, state in ipairs { "SYN_SENT", "ESTABLISHED" } do
      lab:expect(client):in_state(state)
    end
    for _, state in ipairs { "SYN_RECV", "ESTABLISHED" } do
      lab:expect(server):in_state(state)
    end
    lab:expect(client):call("connect"):returns(0)
    lab:expect(server):call("accept"):returns()

    -- If the server closed at once, its kernel would send the ACK of the FIN and its own FIN in one
    -- segment. Freezing the server shows the ACK alone.
    server:freeze()
    client:stop "SIGINT"
    lab:expect(client):killed_by "SIGINT"
    lab:expect_packet("kang > kodos", "FIN")
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"

    server:thaw()
    lab:expect(server):call("poll"):reports "IN"
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):call("close"):returns(0)
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(server):in_state "CLOSED"
    local waiting = lab:expect(client):in_state "TIME_WAIT"
    lab:expect(server):exits(0)

    if lab.timers == "stock" then
      local time_wait = lab:timer("time_wait", kang)
      local gone = lab:expect(client):within(time_wait * 1.5):in_state "CLOSED"
      lab:expect_time(gone.t - waiting.t, time_wait, "TIME_WAIT")
    end
  end,
}
