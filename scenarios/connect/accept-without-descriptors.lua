-- A server that runs out of descriptors cannot accept, and cannot refuse either: the connection
-- stays in its queue, the listener stays readable, and an event loop spins on it.
return {
  title = "Out of descriptors",
  asks = "What becomes of a connection when accept has no descriptor left for it?",
  source = "accept(2), EMFILE; getrlimit(2), RLIMIT_NOFILE; socket(2), EMFILE",
  here = "EMFILE, again and again, and poll goes on reporting IN. The client is ESTABLISHED and "
    .. "may write. When a descriptor is free, accept returns the same connection, with the data. "
    .. "Any Linux.",
  why = "__sys_accept4() asks for a descriptor before it asks the listener for a connection, so "
    .. "that nothing is taken out of the queue that could not be handed over.",
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
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-ack")

    server:type "close 5\nuse 4\naccept\nread\n"
    lab:expect(server):call("accept"):returns(5)
    lab:expect(server):call("read"):returns(6)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
