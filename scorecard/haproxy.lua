-- haproxy as a proxy, with the limits of Debian's settings: 5 s for connecting, 50 s for an answer.
-- Packages: haproxy, curl
local proxy = include "servers/proxy.lib.lua"
local SETTINGS = [[
defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
listen web
  bind :8080,:::8080 v6only
  server one server:80
]]

return proxy.audit({
  title = "haproxy (curl behind it)",
  needs = { "program haproxy", "program curl" },
}, function(host)
  host:file("/tmp/haproxy.cfg", SETTINGS)
  host:run { "haproxy", "-db", "-f", "/tmp/haproxy.cfg", name = "proxy" }
end)
