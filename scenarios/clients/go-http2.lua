-- A Go program sends one request after the other, each with a timeout while the connection is dead.
-- A NAT on the way forgets its connection, and lets new ones pass. HTTP/1 and HTTP/2 deal with that
-- differently.
local start_go = include "go.lib.lua"
local wait = include "wait.lib.lua"
local TIMEOUT = 0.4
local READ_IDLE = 0.5
local PING = 0.5
local NGINX = [[
daemon off; user root; error_log stderr; pid /tmp/pid;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi; uwsgi_temp_path /tmp/uwsgi; scgi_temp_path /tmp/scgi;
  server { listen 80 http2; listen [::]:80 http2; return 200 "answer"; }
  server { listen 81; listen [::]:81; return 200 "answer"; }
}
]]
local CLIENT = [[
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
%s)

func main() {
	timeout, _ := time.ParseDuration(os.Args[2])
	client := http.Client{Timeout: timeout}
%s	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		client.Timeout = timeout
		if lines.Text() == "get without a timeout" {
			client.Timeout = 0
		}
		answer, err := client.Get("http://kodos:" + os.Args[1] + "/")
		if err != nil {
			fmt.Println("failed:", err)
			continue
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		fmt.Println(string(body))
	}
}
]]
local HTTP1 = CLIENT:format("", "")
local HTTP2 = CLIENT:format([[
	"crypto/tls"
	"net"

	"golang.org/x/net/http2"
]], [[
	idle, _ := time.ParseDuration(os.Args[3])
	ping, _ := time.ParseDuration(os.Args[4])
	client.Transport = &http2.Transport{
		AllowHTTP:       true,
		ReadIdleTimeout: idle,
		PingTimeout:     ping,
		DialTLS: func(network, address string, _ *tls.Config) (net.Conn, error) {
			return net.Dial(network, address)
		},
	}
]])

local function ask(client)
  client:type "get\n"
end

local function expect_failure(lab, client)
  ask(client)
  lab:expect(client):prints "failed:"
end

-- Without a timeout, because on a busy machine an answer may take longer.
local function expect_answer(lab, client)
  client:type "get without a timeout\n"
  lab:expect(client):prints "answer"
end

return {
  title = "Go's HTTP client on a connection that a NAT has forgotten",
  asks = "How many requests fail on a dead connection, if each has a timeout?",
  source = "golang/go#30702: with HTTP/2, all requests go to the dead connection and time out, "
    .. "with HTTP/1 only one; kubernetes/kubernetes#87615: kubelet stays on a dead HTTP/2 "
    .. "connection for 15 minutes",
  tags = { "clients", "nat", "go" },
  needs = { "program go", "program nginx" },
  cases = {
    {
      name = "http1",
      version = 1,
      title = "Go with HTTP/1 and a timeout: a NAT forgets the connection",
      here = "One: the claim holds. The next request opens a new connection. Go 1.19, measured on "
        .. "Linux 6.18.",
      why = "The timeout cancels the request, and an HTTP/1 connection with an unanswered request "
        .. "is good for nothing else. So Go closes it.",
      expect = function(lab, client)
        expect_failure(lab, client)
        lab:expect(client):call("close"):returns(0)
        expect_answer(lab, client)
      end,
    },
    {
      name = "http2",
      version = 2,
      title = "Go with HTTP/2 and a timeout: a NAT forgets the connection",
      here = "All, until the kernel gives up on the first one: after 15 minutes by default. Both "
        .. "claims hold for Go 1.19 with golang.org/x/net 0.7. Measured on Linux 6.18.",
      why = "The timeout cancels only the request's stream. The connection seems alive, and the "
        .. "next request is one more stream on it. tcp_retries2 ends it.",
      expect = function(lab, client)
        local limit = lab:timer("r2", client)
        ask(client)
        local first = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
        lab:expect(client):prints "failed:"
        for _ = 1, 3 do expect_failure(lab, client) end
        wait.until_it_gives_up(lab, client, first, limit, { tolerance = math.max(0.3, limit / 8) })
        lab:expect(client):call("close"):returns(0)
        expect_answer(lab, client)
      end,
    },
    {
      name = "http2-ping",
      version = 2,
      idle = READ_IDLE,
      title = "Go with HTTP/2 and ReadIdleTimeout: a NAT forgets the connection",
      here = "Those that are sent within ReadIdleTimeout and PingTimeout: 0.5 s each here, 30 s "
        .. "and 15 s in kubernetes today. Then Go closes the connection, and the next request "
        .. "opens a new one. Go 1.19 with golang.org/x/net 0.7, measured on Linux 6.18.",
      why = "When nothing came for ReadIdleTimeout, the transport sends a PING, and limits the "
        .. "wait for its answer. By default, ReadIdleTimeout is 0: no PING.",
      expect = function(lab, client)
        ask(client)
        local first = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
        lab:expect(client):prints "failed:"
        local closed = lab:expect(client):call("close"):returns(0)
        lab:expect_between(closed.t - first.t, 0, READ_IDLE + PING, "closing the connection")
        expect_answer(lab, client)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kodos:file("/tmp/nginx.conf", NGINX)
    kodos:service {
      "nginx", "-e", "stderr", "-c", "/tmp/nginx.conf", watch = false, ready = { port = 80 },
    }
    local client
    if case.version == 1 then
      client = start_go(lab, kang, HTTP1, nil, 81, TIMEOUT .. "s")
    else
      client = start_go(lab, kang, HTTP2, "golang.org/x/net/http2",
        80, TIMEOUT .. "s", (case.idle or 0) .. "s", PING .. "s")
    end
    expect_answer(lab, client)
    local connection = lab:connection(kang)
    lab:lose("* > *", "port " .. connection.local_port, { name = "the NAT forgets" })
    case.expect(lab, client)
  end,
}
