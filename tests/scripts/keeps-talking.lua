-- Both kernels exchange a keepalive probe each second. For a run that is stopped from outside.
return {
  title = "Keeps talking",
  asks = "What does a run say if the lab itself stood still?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = 1,
      ["net.ipv4.tcp_keepalive_intvl"] = 1,
    } }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--keepalive", "//", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:say "established"
    lab:wait(6)
  end,
}
