-- redis-cli keeps one connection open and sends a command on it for each line that it reads.
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"

-- The command is lost. The next one opens a new connection.
local function expect_reconnect(lab, client)
  client:type "PING second\n"
  lab:expect(client):call("connect"):returns()
  lab:expect(client):prints "second"
end

return {
  title = "redis-cli on an idle connection",
  asks = "What does redis-cli learn when its next command finds the server gone?",
  source = "redis-cli.c: cliConnect(), REDIS_CLI_KEEPALIVE_INTERVAL; hiredis: redisBufferRead()",
  tags = { "programs", "power", "redis" },
  needs = { "program redis-server", "program redis-cli" },
  cases = {
    {
      name = "power-off",
      title = "redis-cli: the server lost its power while the connection was idle",
      here = "recv fails with ETIMEDOUT when the kernel gives up: after 15 minutes by default. "
        .. "redis-cli 7.0 calls that \"recv timeout\". Measured on Linux 6.18.",
      why = "redis-cli sets keepalive to 15 s, 5 s and 3 probes, which should need 30 s. But "
        .. "keepalive does not run while data is unacknowledged, and the command is never "
        .. "acknowledged. So tcp_retries2 decides.",
      run = function(lab, client, kodos)
        kodos:power_off()
        gives_up.expect_on_request(lab, client, "PING first\n")
        lab:expect(client):prints "Error: recv timeout"
      end,
    },
    {
      name = "power-cycle",
      title = "redis-cli: the server got a power cycle while the connection was idle",
      here = "At once: recv fails with ECONNRESET. redis-cli 7.0 prints that and does not repeat "
        .. "the command, but the next command opens a new connection. Measured on Linux 6.18.",
      why = "The new kernel answers the command with a RST.",
      run = function(lab, client, kodos, server)
        kodos:power_cycle()
        server:restart()
        client:type "PING first\n"
        expect_reset(lab, client)
        lab:expect(client):prints "Error: Connection reset by peer"
        expect_reconnect(lab, client)
      end,
    },
    {
      name = "server-restarted",
      title = "redis-cli: redis-server was restarted while the connection was idle",
      here = "Only when it sends the next command: recv returns 0. redis-cli 7.0 prints \"Server "
        .. "closed the connection\" and loses the command, although the FIN came long before. "
        .. "Measured on Linux 6.18.",
      why = "redis-cli waits for its user, not for the socket, so it does not see the FIN. It "
        .. "sends the command in CLOSE_WAIT.",
      run = function(lab, client, _, server)
        server:restart()
        lab:expect(client):in_state "CLOSE_WAIT"
        client:type "PING first\n"
        lab:expect(client):call("send"):returns()
        lab:expect(client):call("recv"):returns(0)
        lab:expect(client):prints "Error: Server closed the connection"
        expect_reconnect(lab, client)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:service {
      "redis-server", "--save", "", "--protected-mode", "no", watch = false,
      ready = { prints = "Ready to accept connections" },
    }
    local client = kang:run("redis-cli", "-h", "kodos")
    client:type "PING ready\n"
    lab:expect(client):prints "ready"
    expect_acknowledged(lab, kodos, kang)
    lab:expect(client):call("setsockopt", "TCP_KEEPIDLE = 15"):returns(0)
    case.run(lab, client, kodos, server)
  end,
}
