-- mosquitto_sub as it is: MQTT's keepalive of 60 s. It waits without end for messages.
-- Packages: mosquitto, mosquitto-clients
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
printf 'listener 1883\nallow_anonymous true\nuser root\n' >/tmp/mosquitto.conf
exec mosquitto -c /tmp/mosquitto.conf
]]

return audit {
  title = "mosquitto_sub",
  needs = { "program mosquitto", "program mosquitto_sub" },
  server = { "sh", "-c", START, cwd = "/tmp", name = "server" },
  port = 1883,
  client = { "mosquitto_sub", "-h", "SERVER", "-t", "news" },
}
