return {
  title = "The same addresses and ports in every run",
  asks = "Do parallel runs keep separate timers?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("-p", 1111, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    kodos:power_off()
    local patience = lab:timer("r2", client) * 1.5 + 2 * lab.second
    client:type "anybody?\n"
    lab:expect(client):within(patience):call("read"):fails "ETIMEDOUT"
  end,
}
