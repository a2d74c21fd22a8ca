-- A program passes a descriptor that is not a socket, here standard input, to the socket calls. It
-- also passes an unknown direction to shutdown(2).
return {
  title = "Socket calls on a non-socket descriptor",
  asks = "What do socket calls return for a descriptor that is not a socket?",
  source = "bind(2), listen(2), connect(2), recv(2), ENOTSOCK; shutdown(2), EINVAL",
  here = "bind, listen, accept, connect, recv, send, shutdown and getsockopt fail with ENOTSOCK. "
    .. "shutdown with an unknown direction fails with EINVAL, and the connection is not affected. "
    .. "Any Linux version.",
  why = "Each call looks up the file's socket before it checks its other arguments "
    .. "(sock_from_file() in net/socket.c). read(2) and write(2) work on any file. inet_shutdown() "
    .. "accepts only SHUT_RD, SHUT_WR and SHUT_RDWR.",
  tags = { "connect", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):in_state "ESTABLISHED"
    local connect = lab:expect(client):call("connect"):returns(0)

    client:type "use 0\nbind 0\nlisten\naccept\nconnect\nrecv\nsend hello\nshutdown wr\n"
    for _, call in ipairs { "bind", "listen", "accept", "connect", "recv", "send", "shutdown" } do
      lab:expect(client):call(call):fails "ENOTSOCK"
    end
    client:type "getsockopt SO_ERROR\n"
    lab:expect(client):call("getsockopt"):fails "ENOTSOCK"

    client:type("use " .. connect.fd .. "\nshutdown 7\nwrite hello\n")
    lab:expect(client):call("shutdown"):fails "EINVAL"
    lab:expect(server):prints "hello"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
