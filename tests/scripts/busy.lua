-- Never at rest: programs start and die, hosts lose power, frames are sent. Tests kill this run.
return {
  title = "Never at rest",
  asks = "What remains if tcplab dies during this?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    for _ = 1, 100000 do
      kodos:dnc("-l", 8080)
      local client = kang:dnc(kodos, 8080)
      krusty:run("sleep", "1000")
      lab:expect(client):in_state "ESTABLISHED"
      client:type "hello\n"
      kodos:power_cycle()
      krusty:power_cycle()
      client:kill()
      lab:expect(client):killed_by "SIGKILL"
    end
  end,
}
