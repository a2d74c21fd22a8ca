-- Measures the round trip through the observed wire. bench/lab_figures.py inserts the path.
return {
  title = "Ping-pong",
  asks = "How long is a round trip through the observed wire?",
  families = { 4 },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:run("python3", "@PING_PONG@", 8080, { watch = false })
    lab:expect(kodos):listens(8080)
    local client = kang:run("python3", "@PING_PONG@", kodos, 8080, 3000, { watch = false })
    lab:expect(client):within(30 * lab.second):prints "median"
  end,
}
