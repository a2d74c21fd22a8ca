-- nginx keeps idle connections to its upstream server. Clients see only nginx.
-- Only nginx is watched, because the scenario is about its calls.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local READ_TIMEOUT = 1
local CONFIGURATION = [[
daemon off; user root; error_log stderr; pid /tmp/pid;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi; uwsgi_temp_path /tmp/uwsgi; scgi_temp_path /tmp/scgi;
  upstream backend { server kodos:8080; keepalive 4; }
  server {
    listen 80; listen [::]:80;
    location / {
      proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_read_timeout ]] .. READ_TIMEOUT .. [[s;
    }
  }
}
]]

local function start_nginx(lab, krusty)
  krusty:file("/tmp/nginx.conf", CONFIGURATION)
  local nginx = krusty:service {
    "nginx", "-e", "stderr", "-c", "/tmp/nginx.conf", ready = { port = 80 },
  }
  lab:expect(nginx):call("poll"):is_entered()
  return nginx
end

return {
  title = "nginx with an idle connection to its upstream server",
  asks = "What does a client of nginx see when the server behind nginx fails?",
  source = "nginx: ngx_http_upstream_module, keepalive; proxy_read_timeout, proxy_next_upstream",
  tags = { "programs", "power", "proxy" },
  needs = { "program nginx", "program curl" },
  cases = {
    {
      name = "power-off",
      title = "nginx: the upstream server lost its power while the connection was idle",
      here = "504 Gateway Time-out, when proxy_read_timeout is over: 1 s here, 60 s by default. No "
        .. "system call of nginx 1.22 fails: its own timer ends the wait. Measured on Linux 6.18.",
      why = "nginx does not turn keepalive on, and its timer is shorter than tcp_retries2.",
      answer = "HTTP/1.1 504 Gateway Time-out",
      run = function(lab, nginx, kodos, ask)
        kodos:power_off()
        ask()
        local request = lab:expect(nginx):call("send"):returns()
        local wait = lab:expect(nginx):times_out()
        lab:expect_time(wait.t - request.t, READ_TIMEOUT, "proxy_read_timeout")
        lab:expect(nginx):prints "upstream timed out (110: Connection timed out)"
      end,
    },
    {
      name = "power-cycle",
      title = "nginx: the upstream server got a power cycle while the connection was idle",
      here = "It gets its answer. nginx 1.22 gets ECONNRESET on the old connection, and sends the "
        .. "request again on a new one. Measured on Linux 6.18.",
      why = "The new kernel answers the request with a RST. If a kept connection fails before an "
        .. "answer begins, nginx tries once more, even with a single upstream server.",
      answer = "second answer",
      run = function(lab, nginx, kodos, ask)
        local server = http.power_cycle(lab, kodos)
        ask()
        expect_reset(lab, nginx, "kodos > krusty")
        lab:expect(nginx):call("connect"):returns()
        http.serve(lab, server, "second answer")
      end,
    },
    {
      name = "server-restarted",
      title = "nginx: the upstream server was restarted while the connection was idle",
      here = "It gets its answer. nginx 1.22 reads the end of the stream when the FIN arrives, and "
        .. "closes the idle connection. Measured on Linux 6.18.",
      why = "nginx waits for its idle connections, too. So it learns of a FIN before it needs the "
        .. "connection, unlike a client that waits for its user.",
      answer = "second answer",
      run = function(lab, nginx, kodos, ask, server)
        server:stop()
        lab:expect(nginx):call("recv"):returns(0)
        lab:expect(nginx):call("close"):returns(0)
        lab:expect(server):killed_by "SIGTERM"
        local new_server = kodos:dnc("-l", 8080)
        ask()
        http.serve(lab, new_server, "second answer")
      end,
    },
  },

  run = function(lab, case)
    local kang, krusty, kodos = lab:hosts { "kang", "krusty", "kodos" }
    local server = kodos:dnc("-l", 8080)
    local nginx = start_nginx(lab, krusty)
    local function curl()
      return kang:run("curl", "-si", "--noproxy", "*", "http://krusty/", { watch = false })
    end
    local first = curl()
    http.expect_answer(lab, first, server, "first answer")
    expect_acknowledged(lab, kodos, krusty)
    lab:expect(first):exits(0)
    lab:expect(nginx):call("recv"):returns(0)
    lab:expect(nginx):call("close"):returns(0)

    local client
    case.run(lab, nginx, kodos, function() client = curl() end, server)
    lab:expect(client):prints(case.answer)
  end,
}
