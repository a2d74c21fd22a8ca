-- Starts a program whose calls are recorded, when a test has ended the gate. The test stops
-- the process that records calls before. The kernels exchange keepalive probes meanwhile.
return {
  title = "A program starts while nobody can record its calls",
  asks = "Does the wire go on?",
  run = function(lab)
    local client, _, kang = lab:connected {
      client = { "--keepalive", "//" },
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = 1,
        ["net.ipv4.tcp_keepalive_intvl"] = 1,
      },
    }
    local cat = kang:run("cat")
    cat:type "recorded\n"
    lab:expect(cat):prints "recorded"
    local gate = kang:run { "sh", "-c", "trap 'exit 5' TERM; echo $GATE; read nothing",
      env = { GATE = "open" }, watch = false }
    lab:expect(gate):prints "open"
    lab:say "starts next"
    lab:expect(gate):within(60):exits(5)
    kang:run("true")
    lab:expect(client):in_state "ESTABLISHED"
  end,
}
