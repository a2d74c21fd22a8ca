-- What programs get from a resolver of the lab: by UDP and TCP, after a power cycle, and when it
-- moves no longer.
return {
  title = "A resolver of the lab",
  asks = "Do the programs of all hosts resolve names?",
  tags = { "test" },
  needs = { "program getent" },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    local many = {}
    for i = 1, 40 do many[i] = lab.family == 4 and "192.0.2." .. i or "2001:db8::" .. i end
    local dns = lab:dns { on = krusty, ttl = 5, ["db.example"] = kodos, ["many.example"] = many }
    local function lookup(host, name) return host:run("getent", "ahosts", name) end

    lab:expect(lookup(kang, "DB.example.")):within(20):prints(kodos:address())
    lab:expect(lookup(krusty, "db.example")):within(20):prints(kodos:address())

    -- A reply of 40 addresses does not fit into a UDP packet.
    local by_tcp = lookup(kang, "many.example")
    lab:expect_packet("kang > krusty", "SYN")
    lab:expect(by_tcp):within(20):prints(many[40])

    krusty:power_cycle()
    lab:expect(lookup(kang, "db.example")):within(20):prints(kodos:address())
    kang:power_cycle()
    lab:expect(lookup(kang, "db.example")):within(20):prints(kodos:address())

    dns:slow(0.4, "db.example")
    local began = lab:now()
    local reply = lab:expect(lookup(kang, "db.example")):within(20):prints(kodos:address())
    lab:expect_between(reply.t - began, 0.4, 20, "a slow reply")
    dns:set("db.example")
    lab:expect(lookup(kang, "db.example")):within(20):exits(2)

    krusty:power_off()
    lab:expect(lookup(kang, "many.example")):within(30):exits(2)
  end,
}
