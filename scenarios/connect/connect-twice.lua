-- A second connect on a TCP socket fails with EISCONN, even after the peer has closed. To
-- reconnect, a program opens a new socket.
return {
  title = "connect called twice",
  asks = "What does connect return on a socket that is, or was, connected?",
  source = "connect(2), EISCONN; RFC 9293 section 3.10.1",
  here = "EISCONN, for the same address, for another one, and after the peer has closed. Any Linux "
    .. "version.",
  why = "__inet_stream_connect() checks the state of the socket, not that of TCP. SS_CONNECTED "
    .. "stays until the program closes the socket or disconnects it with AF_UNSPEC.",
  tags = { "connect", "calls" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(server):call("accept"):returns()
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
