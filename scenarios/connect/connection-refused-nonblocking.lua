-- A non-blocking connect is refused after connect has returned EINPROGRESS. poll wakes the program,
-- but only SO_ERROR gives the reason, and only once.
return {
  title = "Non-blocking connect refused",
  asks = "What do poll and SO_ERROR report when a non-blocking connect is refused?",
  source = "connect(2), EINPROGRESS; poll(2); RFC 9293 section 3.10.7.1",
  here = "poll reports OUT|ERR|HUP (0x1c). SO_ERROR is ECONNREFUSED, and 0 when read again. The "
    .. "next connect on the socket fails once with ECONNABORTED; the one after that starts a new "
    .. "attempt. Any Linux version.",
  why = "The RST sets sk_err, ends the connection and wakes the poller. tcp_poll() reports ERR for "
    .. "the error and HUP for a socket in state CLOSE. It adds OUT because a write would not "
    .. "block. Reading SO_ERROR clears sk_err. A connect after a failed attempt reports that "
    .. "attempt's error. Here the error has been cleared, so connect returns ECONNABORTED instead "
    .. "(__inet_stream_connect()).",
  tags = { "connect", "refused", "poll", "non-blocking" },

  run = function(lab)
    local kang = lab:pair()
    local client = kang:dnc("--repl")
    client:type("socket nonblock\n")
    client:type "connect kodos 8080\n"
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect_packet("kodos > kang", "RST")
    client:type "poll out\n"
    lab:expect(client):call("poll"):returns(1, "OUT|ERR|HUP")
    client:type "getsockopt SO_ERROR\ngetsockopt SO_ERROR\n"
    lab:expect(client):call("getsockopt"):gives "ECONNREFUSED"
    lab:expect(client):call("getsockopt", "SO_ERROR"):gives(0)
    lab:expect(client):in_state "CLOSED"

    for _, call in ipairs { "read", "write" } do
      client:type "connect\nconnect\n"
      lab:expect(client):call("connect"):fails "ECONNABORTED"
      lab:expect(client):call("connect"):fails "EINPROGRESS"
      lab:expect_packet("kodos > kang", "RST")
      client:type(call .. " 5\n")
      lab:expect(client):call(call):fails "ECONNREFUSED"
    end
  end,
}
