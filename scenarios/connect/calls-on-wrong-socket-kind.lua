-- A TCP socket either listens or is connected. Calls meant for the other kind fail, each with its
-- own errno; a second listen succeeds and changes the backlog.
return {
  title = "Calls on the wrong kind of socket",
  asks = "What do listen and accept return on a connection, and connect and read on a listener?",
  source = "listen(2), EINVAL; accept(2), EINVAL; connect(2); RFC 9293 sections 3.10.1 to 3.10.4",
  here = "On a connection, listen, accept and bind fail with EINVAL. On a listener, connect fails "
    .. "with EISCONN, read with ENOTCONN, write with EPIPE, and a second bind with EINVAL. A "
    .. "second listen changes the backlog. Any Linux version.",
  why = "inet_listen() requires a socket in CLOSE or LISTEN, inet_csk_accept() one in LISTEN. "
    .. "tcp_recvmsg() fails on a listener, and bind on a socket that already has a port. connect "
    .. "fails on a listener because its state is not CLOSE (__inet_stream_connect()); RFC 9293 "
    .. "would allow it.",
  tags = { "connect", "listen", "accept", "calls" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local family = "-" .. lab.family
    local server = kodos:dnc(family, "--repl", "--ignore-sigpipe", "--no-accept", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    client:type "listen\naccept\nbind 1111\n"
    lab:expect(client):call("listen"):fails "EINVAL"
    lab:expect(client):call("accept"):fails "EINVAL"
    lab:expect(client):call("bind"):fails "EINVAL"
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "connect kang 8080\nread\nwrite hello\nbind 8081\nlisten 5\n"
    lab:expect(server):call("connect"):fails "EISCONN"
    lab:expect(server):call("read"):fails "ENOTCONN"
    lab:expect(server):call("write"):fails "EPIPE"
    lab:expect(server):call("bind"):fails "EINVAL"
    lab:expect(server):call("listen"):returns(0)
    lab:expect(kodos):listens(8080)
  end,
}
