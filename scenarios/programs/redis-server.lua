-- A subscriber waits for messages. Its host loses power, and redis-server has nothing to send.
local gives_up = include "gives_up.lib.lua"

return {
  title = "A subscriber of redis-server loses its power",
  asks = "How long does redis-server keep a client whose host has no power?",
  source = "redis.conf: tcp-keepalive; anet.c: anetKeepAlive()",
  here = "Until its keepalive probes have gone unanswered. Then read fails with ETIMEDOUT, and "
    .. "redis-server 7.0 closes the connection. With the default of tcp-keepalive, 300, that takes "
    .. "10 minutes. Measured on Linux 6.18.",
  why = "For tcp-keepalive N, redis-server sets TCP_KEEPIDLE to N seconds, TCP_KEEPINTVL to a "
    .. "third of N, but at least 1 s, and TCP_KEEPCNT to 3.",
  tags = { "programs", "power", "keepalive", "redis" },
  needs = { "program redis-server", "program redis-cli" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:service {
      "redis-server", "--save", "", "--protected-mode", "no", "--tcp-keepalive", 1,
      ready = { prints = "Ready to accept connections" },
    }
    local client = kang:run("redis-cli", "-h", "kodos", "SUBSCRIBE", "news", { watch = false })
    lab:expect(client):prints "subscribe"
    lab:expect(server):call("setsockopt", "TCP_KEEPIDLE = 1"):returns(0)
    lab:expect(server):call("setsockopt", "TCP_KEEPINTVL = 1"):returns(0)
    lab:expect(server):call("setsockopt", "TCP_KEEPCNT = 3"):returns(0)
    local heard = lab:expect_packet("kang > kodos", "data")

    kang:power_off()
    gives_up.expect(lab, server, "keepalive_timeout", heard.t)
    lab:expect(server):call("close"):returns(0)
  end,
}
