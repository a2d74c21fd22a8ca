-- nginx as a proxy, with its own limit of 60 s for connecting and for each read.
-- Packages: nginx-light, curl
local proxy = include "servers/proxy.lib.lua"
local SETTINGS = [[
daemon off; error_log stderr; pid /tmp/pid; user root;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi; uwsgi_temp_path /tmp/uwsgi; scgi_temp_path /tmp/scgi;
  server { listen 8080; listen [::]:8080; location / { proxy_pass http://server; } }
}
]]

return proxy.audit({
  title = "nginx as a proxy (curl behind it)",
  needs = { "program nginx", "program curl" },
}, function(host)
  host:file("/tmp/nginx.conf", SETTINGS)
  host:run { "nginx", "-c", "/tmp/nginx.conf", name = "proxy" }
end)
