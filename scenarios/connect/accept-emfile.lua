-- A server without a free descriptor can neither accept nor refuse a connection. The connection
-- stays in the accept queue, the listener stays readable, and an event loop spins on it.
return {
  title = "accept without a free descriptor",
  asks = "What happens to a connection when accept has no free descriptor for it?",
  source = "accept(2), EMFILE; getrlimit(2), RLIMIT_NOFILE; socket(2), EMFILE",
  here = "It stays in the accept queue. accept fails with EMFILE each time, and poll keeps "
    .. "reporting IN. The client is ESTABLISHED and can write. When a descriptor is free, accept "
    .. "returns this connection with its data. Any Linux version.",
  why = "__sys_accept4() reserves a descriptor before it takes a connection from the listener. If "
    .. "that fails, the connection stays in the queue.",
  tags = { "connect", "accept", "limits" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    server:type("socket " .. lab.family .. "\nuse 4\nlimit 6\naccept\naccept\npoll in 0s\n")
    lab:expect(server):call("setrlimit"):returns(0)
    lab:expect(server):call("accept"):fails "EMFILE"
    lab:expect(server):call("accept"):fails "EMFILE"
    lab:expect(server):call("poll"):returns(1, "IN")
    server:type("socket " .. lab.family .. "\n")
    lab:expect(server):call("socket"):fails "EMFILE"
    client:type "hello\n"
    lab:expect(client):call("write"):returns(6)
    lab:expect_packet("kodos > kang", "ACK only")

    server:type "close 5\nuse 4\naccept\nread\n"
    lab:expect(server):call("accept"):returns(5)
    lab:expect(server):call("read"):returns(6)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
