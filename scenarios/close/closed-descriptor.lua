-- A bug that every server with threads has had once: a descriptor is closed, and somebody still
-- uses its number. The kernel says EBADF to every call, and poll(2), which has no error for one
-- descriptor of many, says POLLNVAL. Worse is to come when the number has been given out again.
return {
  title = "Calls on a closed descriptor",
  asks = "What do calls say of a socket that this program has closed already?",
  source = "poll(2), POLLNVAL; errno(3), EBADF; close(2), multithreaded processes",
  here = "EBADF from every call; poll returns 1 at once with revents NVAL, also where nothing was "
    .. "asked for. The next socket gets the same number, and the calls are about that one. The "
    .. "peer has nothing of it: it saw a FIN. Measured on Linux 6.18; so since the first.",
  why = "A descriptor is an index into the process's table (fs/file.c). close(2) empties the entry "
    .. "and gives the lowest free number to whoever opens next. TCP never hears of such a call.",
  tags = { "close", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "close\n"
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    client:type("use " .. close.fd .. "\npoll in\nread\nwrite hello\nshutdown wr\n")
    lab:expect(client):call("poll"):returns(1, "NVAL")
    lab:expect(client):call("read"):fails "EBADF"
    lab:expect(client):call("write"):fails "EBADF"
    lab:expect(client):call("shutdown"):fails "EBADF"
    client:type "getsockopt SO_ERROR\nlisten\naccept\nconnect\nbind 0\nclose\n"
    lab:expect(client):call("getsockopt"):fails "EBADF"
    lab:expect(client):call("listen"):fails "EBADF"
    lab:expect(client):call("accept"):fails "EBADF"
    lab:expect(client):call("connect"):fails "EBADF"
    lab:expect(client):call("bind"):fails "EBADF"
    lab:expect(client):call("close"):fails "EBADF"
    lab:expect(server):still_in_state "CLOSE_WAIT"

    client:type "socket\n"
    local socket = lab:expect(client):call("socket"):returns()
    if socket.result ~= close.fd then error "the number was not given out again" end
  end,
}
