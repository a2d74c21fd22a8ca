-- Go's net/http keeps connections open between requests, and reads from them while they are idle.
-- `go build` in an empty home takes 0.4 s of processor time with Go 1.19, or 0.15 s without a
-- garbage collector and symbols. It takes 6 s if it has to compile the standard library, too: Go
-- has none compiled since version 1.20.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"
local unplug_while_sending = include "cable.lib.lua"
local KEEPALIVE = 1
local TIMEOUT = 1
local DIALER_LIMIT = 30 -- net/http, DefaultTransport; a net.Dialer of your own has none
local CLIENT = [[
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	client := http.Client{}
	if keepalive, err := time.ParseDuration(os.Args[1]); err == nil {
		dialer := net.Dialer{KeepAlive: keepalive}
		client.Transport = &http.Transport{DialContext: dialer.DialContext}
	}
	if timeout, err := time.ParseDuration(os.Args[2]); err == nil {
		client.Timeout = timeout
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		request, _ := http.NewRequest(lines.Text(), "http://kodos:8080/", strings.NewReader(""))
		answer, err := client.Do(request)
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
local BUILD = [[
echo "$0" >/tmp/client.go && GOGC=off go build -ldflags "-s -w" -o /tmp/client /tmp/client.go
]]

local function ask(lab, client, method)
  client:type((method or "GET") .. "\n")
  return lab:expect_packet("kang > kodos", "data")
end

-- Waits until the server's kernel has acknowledged the request: the client waits for the answer.
local function wait_for_an_answer(lab, client, kang, kodos)
  ask(lab, client)
  return expect_acknowledged(lab, kang, kodos, "ACK only")
end

-- Go sends the GET again, on a new connection. The kernel gives up on that, too, unless the dialer
-- does so before: after `limit` seconds, if it has a limit.
local function expect_second_connection_fails(lab, client, limit)
  if limit and limit < lab:timer("syn_r2", client) then
    lab:expect(client):within(2 * limit):prints "i/o timeout"
  else
    gives_up.expect_on_connect(lab, client)
    lab:expect(client):prints "connect: connection timed out"
  end
end

return {
  title = "A Go HTTP client",
  asks = "What does a Go program learn when its server is gone?",
  source = "Go: net/http, Client.Timeout, Transport; transport.go: shouldRetryRequest(); "
    .. "net.Dialer, KeepAlive",
  tags = { "programs", "power", "keepalive", "go" },
  needs = { "program go" },
  cases = {
    {
      name = "idle-power-off",
      title = "Go: the server lost its power while the connection was idle",
      here = "Nothing until the kernel gives up on the request: after 15 minutes by default. Go "
        .. "1.19 then sends the GET on a new connection. The program gets that one's error: "
        .. "\"connect: connection timed out\" here, \"i/o timeout\" after the dialer's 30 s by "
        .. "default. The ETIMEDOUT of its request is lost. Measured on Linux 6.18.",
      why = "http.Client has no timeout by default. Go's keepalive of 30 s does not run while the "
        .. "request is unacknowledged, so tcp_retries2 decides. The dialer's limit of 30 s is "
        .. "longer than tcp_syn_retries allows here, and shorter than the kernel's default.",
      run = function(lab, client, kodos)
        kodos:power_off()
        local request = ask(lab, client)
        gives_up.expect(lab, client, "r2", request.t)
        expect_second_connection_fails(lab, client, DIALER_LIMIT)
      end,
    },
    {
      name = "idle-power-cycle",
      title = "Go: the server got a power cycle while the connection was idle",
      here = "Nothing: the program gets its answer. read fails with ECONNRESET, and Go 1.19 sends "
        .. "the GET again on a new connection. Measured on Linux 6.18.",
      why = "The new kernel answers the request with a RST. Go repeats a request if its connection "
        .. "was used before, no answer has begun, and the method is idempotent: GET, HEAD, OPTIONS "
        .. "or TRACE.",
      run = function(lab, client, kodos)
        local server = http.power_cycle(lab, kodos)
        ask(lab, client)
        expect_reset(lab, client)
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
    {
      name = "idle-power-cycle-post",
      title = "Go: the server got a power cycle before a POST on an idle connection",
      here = "At once: \"read: connection reset by peer\". Go 1.19 does not repeat a POST, "
        .. "although the server is there again. Measured on Linux 6.18.",
      why = "The server may have handled the request, and a POST must not be handled twice. A "
        .. "header Idempotency-Key tells Go that it may.",
      run = function(lab, client, kodos)
        local server = http.power_cycle(lab, kodos)
        ask(lab, client, "POST")
        expect_reset(lab, client)
        lab:expect(client):prints "read: connection reset by peer"
        lab:never(server, 0.3):call("accept"):returns()
      end,
    },
    {
      name = "idle-restarted",
      title = "Go: the server was restarted while the connection was idle",
      here = "Nothing, even for a POST: it gets its answer on a new connection. Go 1.19, measured "
        .. "on Linux 6.18.",
      why = "A goroutine reads from each idle connection. So Go sees the FIN at once, and closes "
        .. "the connection before the next request.",
      run = function(lab, client, kodos, server)
        server:stop()
        lab:expect(client):call("recv"):returns(0)
        lab:expect(client):call("close"):returns(0)
        lab:expect(server):killed_by "SIGTERM"
        local new_server = kodos:dnc("-l", 8080)
        ask(lab, client, "POST")
        http.expect_answer(lab, client, new_server, "second answer")
      end,
    },
    {
      name = "waiting-power-off",
      keepalive = KEEPALIVE .. "s",
      title = "Go waits for an answer, and the server loses its power",
      here = "When the keepalive probes have gone unanswered: Dialer.KeepAlive, and as long again "
        .. "for each of tcp_keepalive_probes. With Go's 30 s and the kernel's nine probes, that "
        .. "is 5 minutes. Go 1.19 then sends the GET again, and the program gets the error of the "
        .. "new connection. Measured on Linux 6.18.",
      why = "Go sets TCP_KEEPIDLE and TCP_KEEPINTVL to Dialer.KeepAlive, and leaves TCP_KEEPCNT "
        .. "to the kernel. http.DefaultTransport has 30 s; a Dialer without a value has 15 s.",
      run = function(lab, client, kodos, _, kang)
        local heard = wait_for_an_answer(lab, client, kang, kodos)
        kodos:power_off()
        gives_up.expect(lab, client, "keepalive_timeout", heard.t)
        expect_second_connection_fails(lab, client)
      end,
    },
    {
      name = "waiting-power-cycle",
      keepalive = KEEPALIVE .. "s",
      title = "Go waits for an answer, and the server gets a power cycle",
      here = "Nothing: the program gets its answer, but Go 1.19 has sent the GET twice. The first "
        .. "keepalive probe, after 30 s by default, gets a RST. Measured on Linux 6.18.",
      why = "The connection was used before, and a GET is idempotent, so Go repeats it. The "
        .. "server had read the first one before it lost its power.",
      run = function(lab, client, kodos, server, kang)
        local heard = wait_for_an_answer(lab, client, kang, kodos)
        lab:expect(server):prints "\r\n\r\n"
        local new_server = http.power_cycle(lab, kodos)
        local probe = lab:expect_packet("kang > kodos", "keepalive probe")
        lab:expect_time(probe.t - heard.t, KEEPALIVE, "Dialer.KeepAlive")
        lab:expect(client):call("recv"):fails "ECONNRESET"
        http.expect_answer(lab, client, new_server, "second answer")
      end,
    },
    {
      name = "frozen",
      keepalive = KEEPALIVE .. "s",
      title = "Go without a timeout: the server is frozen",
      here = "Never: without Client.Timeout, Go 1.19 waits for as long as the server is frozen. "
        .. "Measured on Linux 6.18.",
      why = "The kernel of the frozen server acknowledges the request, and answers each keepalive "
        .. "probe.",
      run = function(lab, client, _, server)
        server:freeze()
        ask(lab, client)
        lab:expect_packet("kang > kodos", "keepalive probe")
        lab:expect_packet("kodos > kang", "ACK only")
        lab:never(client, 2 * KEEPALIVE):prints "failed:"
      end,
    },
    {
      name = "frozen-timeout",
      timeout = TIMEOUT .. "s",
      title = "Go with Client.Timeout: the server is frozen",
      here = "When Client.Timeout is over, here 1 s: \"Client.Timeout exceeded while awaiting "
        .. "headers\". No call fails, and Go 1.19 closes the connection. Measured on Linux 6.18.",
      why = "The timer is Go's own. It limits the whole exchange, with connecting and reading the "
        .. "body. So it helps against every failure that is silent.",
      run = function(lab, client, _, server)
        server:freeze()
        local request = ask(lab, client)
        local notice = lab:expect(client):prints "failed:"
        lab:expect_time(notice.t - request.t, TIMEOUT, "Client.Timeout")
        lab:expect(client):prints "(Client.Timeout exceeded while awaiting headers)"
        lab:expect(client):call("close"):returns(0)
      end,
    },
    {
      name = "cable-out",
      title = "Go: the cable was out when the request was sent",
      here = "Nothing but a long wait: the program gets its answer. The request arrives with the "
        .. "first retransmission after the cable is back. So the wait can be twice as long as the "
        .. "outage: 53 to 55 s for 30 s without a cable. Go 1.19, measured on Linux 6.18.",
      why = "Each retransmission waits twice as long as the one before. Nobody tells the kernel "
        .. "that the cable is back. Client.Timeout has to be longer than that, or the outage "
        .. "becomes an error.",
      run = function(lab, client, kodos, server)
        unplug_while_sending(lab, kodos, function() return ask(lab, client) end)
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local compiler = kang:run {
      "sh", "-c", BUILD, CLIENT, name = "compiler", watch = false,
      env = { GOCACHE = "/tmp/cache", GOPATH = "/tmp/go", GO111MODULE = "off" },
    }
    lab:expect(compiler):within(60):exits(0)
    local client = kang:run {
      "/tmp/client", case.keepalive or "default", case.timeout or "none", name = "client",
    }
    lab:expect(client):within(20):prints "ready"
    client:type "GET\n"
    http.expect_answer(lab, client, server, "first answer")
    expect_acknowledged(lab, kodos, kang)
    local idle = case.keepalive and KEEPALIVE or 30
    lab:expect(client):call("setsockopt", "TCP_KEEPIDLE = " .. idle):returns(0)
    case.run(lab, client, kodos, server, kang)
  end,
}
