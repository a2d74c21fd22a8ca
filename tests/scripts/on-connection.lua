-- A client with two connections: what is expected on one is not met by the other.
local CLIENT = [[
import select, socket, sys
first = socket.create_connection((sys.argv[1], 8080))
sys.stdin.readline()
second = socket.create_connection((sys.argv[1], 8081))
sys.stdin.readline()
poll = select.poll()
poll.register(first, select.POLLIN); poll.register(second, select.POLLIN)
poll.poll()
second.recv(100)
first.recv(100)
first.send(b"first"); second.send(b"second")
sys.stdin.readline()
]]

return {
  title = "On one connection",
  asks = "Are calls on one connection distinguished from those on another?",
  tags = { "test" },
  needs = { "program python3" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local servers = { kodos:dnc("-l", 8080), kodos:dnc("-l", 8081) }
    local client = kang:run("python3", "-c", CLIENT, kodos:address())
    lab:expect(client):call("connect"):returns(0)
    local first = lab:connection(client)
    client:type "\n"
    lab:expect(client):call("connect"):returns(0)
    local second = lab:connection(client)
    lab:check(first.remote_port == 8080 and second.remote_port == 8081, "there are two")
    for index, server in ipairs(servers) do
      server:type("to " .. index .. "\n")
      lab:expect_packet("kodos > kang", "data")
    end
    client:type "\n"

    lab:expect(client):on(first):wakes "IN"
    lab:expect(client):on(second):wakes "IN"
    -- The order between the two does not matter.
    local data = lab:expect(client):on(first):call("recv"):returns(5)
    lab:check(data.data:find("to 1", 1, true) == 1, "the first connection's", data.data)
    lab:expect(client):on(second):call("recv"):returns(5)
    lab:never(client, 0.2):on(second):call("send"):returns(5)
    lab:expect(client):on(second):call("send"):returns(6)
    local name, sent = lab:first { sent = client:on(first):call("send"):returns() }
    lab:check(name == "sent" and sent.result == 5, "a condition is on one connection, too")
    -- So are the calls of dnc, which name no connection themselves.
    local accepted = lab:connection(servers[1])
    lab:expect(servers[1]):on(accepted):call("read"):returns(5)
    lab:expect(servers[1]):on(accepted):in_state "ESTABLISHED"

    local function refuses(words, what)
      local done, complaint = pcall(what)
      lab:check(not done and complaint:find(words, 1, true) ~= nil, words, complaint)
    end
    refuses("without :on", function() lab:expect(client):on(first):exits(0) end)
    refuses("without :on", function() lab:expect(client):on(first):times_out() end)
    refuses("a connection of kodos", function() lab:expect(client):on(accepted):notices() end)
    refuses("made by a program", function() lab:expect(kang):on(first):call("recv") end)

    servers[2]:kill()
    lab:never(client, 0.2):on(first):notices()
  end,
}
