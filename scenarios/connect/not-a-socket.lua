-- Every call of the interface takes a descriptor, and not every descriptor is a socket: standard
-- input, here. And shutdown(2) takes a number, of which three mean something.
return {
  title = "Not a socket",
  asks = "What do the calls say of a descriptor that is no socket, and shutdown of no direction?",
  source = "socket(2) and its kin, ENOTSOCK; shutdown(2), EINVAL",
  here = "ENOTSOCK from bind, listen, accept, connect, recv, send, shutdown and getsockopt; EINVAL "
    .. "for a direction that there is not. The connection has nothing of it. Any Linux.",
  why = "Each of them looks the file's socket up first (sockfd_lookup_light() in net/socket.c), "
    .. "before it looks at its other arguments. read(2) and write(2) do not: those are any file's. "
    .. "inet_shutdown() refuses what is not SHUT_RD, SHUT_WR or SHUT_RDWR.",
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
