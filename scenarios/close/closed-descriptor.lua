-- A program closes a descriptor, but another part of the program still uses its number. This bug is
-- common in threaded servers. It gets worse when the kernel gives the same number to a new socket.
return {
  title = "Calls on a closed descriptor",
  asks = "What do system calls return on a socket that the program has already closed?",
  source = "poll(2), POLLNVAL; errno(3), EBADF; close(2), multithreaded processes",
  here = "Every call fails with EBADF. poll returns 1 at once with revents NVAL, even if the "
    .. "program asks for no events. The next socket gets the same number, and calls on that "
    .. "number then act on the new socket. The peer sees only a FIN. Measured on Linux 6.18; the "
    .. "same in every version.",
  why = "A descriptor is an index into the process's descriptor table (fs/file.c). close(2) "
    .. "clears the entry, and the next open gets the lowest free number. These calls fail before "
    .. "they reach TCP.",
  tags = { "close", "poll" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

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
    lab:check(socket.result == close.fd, "the new socket has the number of the closed one")
  end,
}
