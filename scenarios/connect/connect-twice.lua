-- A socket has one peer for life. A second connect on it says in which way it comes too late.
return {
  title = "Connect twice",
  asks = "What does connect return on a socket that is connected, and on one that was?",
  source = "connect(2), EISCONN; RFC 9293 section 3.10.1",
  here = "EISCONN, also to the same address, and also when the peer has closed. Any Linux.",
  why = "__inet_stream_connect() looks at the socket's own state, not at TCP's: SS_CONNECTED stays "
    .. "until the socket is closed or dissolved with AF_UNSPEC, whatever became of the connection.",
  tags = { "connect", "calls" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(server):in_state "ESTABLISHED"
    client:type "connect\nconnect kodos 9090\n"
    lab:expect(client):call("connect"):fails "EISCONN"
    lab:expect(client):call("connect"):fails "EISCONN"
    lab:expect(client):in_state "ESTABLISHED"

    server:stop "SIGINT"
    lab:expect(client):in_state "CLOSE_WAIT"
    client:type "connect\n"
    lab:expect(client):call("connect"):fails "EISCONN"
    lab:expect(client):still_in_state "CLOSE_WAIT"
  end,
}
