-- Makes each kind of fault that leaves a trace in the capture, each on one typed line.
return {
  title = "A faulty line",
  asks = "How do the timeline and the capture describe frames that faults changed?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local data = "tcp[tcpflags] & tcp-push != 0"
    local function line(verb, options)
      options.name, options.count = verb, 1
      local fault = lab[verb](lab, "kang > kodos", data, options)
      client:type(verb .. "\n")
      lab:expect(server):prints(verb)
      fault:remove()
    end
    line("corrupt", { bits = 0x80 })
    line("truncate", { to = 60 })
    line("duplicate", {})
    line("delay", { by = 0.05 })
    line("lose", {})
    line("limit", { rate = 100000 })
    lab:delay("kodos > kang", { by = 5, name = "far" })
    server:type "in the air\n"
    lab:expect_packet("kodos > kang", data, { fate = "delayed" })
    kodos:power_off()
    lab:expect_packet("kodos > kang", data, { fate = "lost" })
    lab:remove "far"
    lab:never(client, 0.1):prints "in the air"
  end,
}
