return {
  title = "A frozen program's kernel is awake",
  asks = "Who acknowledges data that is sent to a program that is frozen?",
  tags = { "tutorial" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "shutdown", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type "wake up\n"
    lab:expect(client):call("write"):returns(8)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:never(server, 0.2):call("read"):returns()
    server:thaw()
    lab:expect(server):prints "wake up"
    lab:expect(server):sleeps()
    server:signal "SIGUSR1"
    lab:expect(server):call("poll"):fails "EINTR"

    client:close_stdin()
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    client:kill()
    lab:expect(client):killed_by "SIGKILL"
    server:stop()
    lab:expect(server):killed_by "SIGTERM"
  end,
}
