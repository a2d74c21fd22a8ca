return {
  title = "A tour of the lab",
  asks = "What can a scenario do without breaking anything?",
  tags = { "tutorial" },
  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, {
      neighbours = "dynamic",
      sysctls = { ["net.ipv4.tcp_keepalive_time"] = 7 },
    })
    if lab.timers == "stock" and lab.family == 6 then
      lab:skip("one family is enough for a tour that takes minutes")
    end
    local began = lab:now()
    lab:wait(20 * lab.millisecond)
    lab:idle(lab.hour / 60)
    lab:say("that took " .. lab:now() - began .. " s")
    lab:say("krusty would give a dead peer up after " .. lab:timer("keepalive_timeout", krusty))
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
  end,
}
