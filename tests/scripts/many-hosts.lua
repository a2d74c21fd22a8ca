-- 300 hosts on one link: more than a /24 can address. 100 of them run a program.
return {
  title = "Many hosts",
  asks = "Can a run have more hosts than a /24?",
  tags = { "trust" },
  run = function(lab)
    local names = {}
    for i = 1, 300 do names[i] = "h" .. i end
    local hosts = { lab:hosts(names) }
    local clients = {}
    for i = 1, 50 do hosts[301 - i]:dnc("-l", 8080) end
    for i = 1, 50 do lab:expect(hosts[301 - i]):within(20):listens(8080) end
    for i = 1, 50 do clients[i] = hosts[i]:dnc(hosts[301 - i], 8080) end
    for i = 1, 50 do lab:expect(clients[i]):within(20):in_state "ESTABLISHED" end
  end,
}
