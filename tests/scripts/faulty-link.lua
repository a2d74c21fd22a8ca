return {
  title = "A faulty link",
  asks = "Can a fault apply to one link of several?",
  tags = { "trust" },
  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:lose("wan", "tcp[tcpflags] & tcp-push != 0", { count = 1 })
    client:type "hello\n"
    lab:expect(server):prints "hello"
  end,
}
