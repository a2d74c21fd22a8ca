-- Starts programs without a pause, while a client talks. The run handles frames only between
-- starts. The client's kernel sends a keepalive probe after a second without data: whenever the run
-- stands still, a frame waits for it.
return {
  title = "Programs start while a client talks",
  asks = "Is a run that stood still while a program started reported as broken?",
  here = "Linux 6.18",
  run = function(lab)
    local client, _, _, kodos = lab:connected {
      client = { "--keepalive", "//" },
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = 1,
        ["net.ipv4.tcp_keepalive_intvl"] = 1,
      },
    }
    lab:say "established"
    for _ = 1, 300 do
      client:type "data\n"
      kodos:run { "true", watch = false, cwd = "/tmp" }
    end
  end,
}
