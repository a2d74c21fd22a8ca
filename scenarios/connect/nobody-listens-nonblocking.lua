-- The same refusal as an event loop sees it: connect has long returned, poll reports everything at
-- once, and the reason is to be had from SO_ERROR, one time.
return {
  title = "Nobody listens, non-blocking",
  asks = "What do poll and SO_ERROR say when a non-blocking connect is refused?",
  source = "connect(2), EINPROGRESS; poll(2); RFC 9293 section 3.10.7.1",
  here = "poll reports OUT|ERR|HUP (0x1c); SO_ERROR is ECONNREFUSED, and 0 when asked again. "
    .. "connect on the same socket then says ECONNABORTED, once; the next one tries anew. Any "
    .. "Linux.",
  why = "The RST sets sk_err, ends the connection and wakes whoever polls. tcp_poll() reports ERR "
    .. "for the error and HUP for a socket in state CLOSE; OUT comes with them, since a write "
    .. "would not block. Reading SO_ERROR clears it; a connect that then wants to tell how the "
    .. "last one ended has no error left, and says ECONNABORTED (__inet_stream_connect()).",
  tags = { "connect", "refused", "poll", "non-blocking" },

  run = function(lab)
    local kang = lab:pair()
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. " nonblock\n")
    client:type "connect kodos 8080\n"
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    client:type "poll out\n"
    lab:expect(client):call("poll"):returns(1, "OUT|ERR|HUP")
    client:type "getsockopt SO_ERROR\ngetsockopt SO_ERROR\n"
    lab:expect(client):call("getsockopt"):gives "ECONNREFUSED"
    lab:expect(client):call("getsockopt"):returns(0)
    lab:expect(client):in_state "CLOSED"

    for _, call in ipairs { "read", "write" } do
      client:type "connect\nconnect\n"
      lab:expect(client):call("connect"):fails "ECONNABORTED"
      lab:expect(client):call("connect"):fails "EINPROGRESS"
      lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
      client:type(call .. " 5\n")
      lab:expect(client):call(call):fails "ECONNREFUSED"
    end
  end,
}
