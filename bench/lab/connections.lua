-- Connects until the client has no port left. bench/lab_figures.py inserts the path and the ports.
return {
  title = "Connections",
  asks = "What does a connection cost when there are thousands of others?",
  families = { 4 },
  needs = { "program python3" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.core.somaxconn"] = 4096,
        ["net.ipv4.ip_local_port_range"] = "@FIRST@ @LAST@",
      },
    }
    local server = kodos:run("python3", "@CONNECTIONS@", 8080)
    lab:expect(server):prints "ready"
    local client = kang:run("python3", "@CONNECTIONS@", kodos, 8080)
    lab:expect(client):within(600):prints "EADDRNOTAVAIL"
  end,
}
