-- Programs with many threads end, while a client talks. For a test of the time that the lab needs
-- to reap them.
local THREADS = [[
import os, sys, threading
for _ in range(24):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read(1)
os._exit(0)
]]

return {
  title = "Programs with many threads end while a client talks",
  asks = "Does the wire go on?",
  run = function(lab)
    local _, _, kang, kodos = lab:connected {
      client = { "--keepalive", "//" },
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = 1,
        ["net.ipv4.tcp_keepalive_intvl"] = 1,
      },
    }
    kang:run { "sh", "-c", "while :; do :; done", watch = false }
    for _ = 1, 12 do
      local program = kodos:run { "python3", "-c", THREADS, watch = false }
      lab:expect(program):within(60):prints "ready"
      program:type "x"
      lab:expect(program):within(60):exits(0)
    end
  end,
}
