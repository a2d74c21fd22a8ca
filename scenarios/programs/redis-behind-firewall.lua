-- A subscriber is idle for longer than the firewall between it and redis-server remembers. Then
-- another client publishes a message.
local firewall = include "firewall.lib.lua"

return {
  title = "A subscriber of redis-server behind a firewall that forgets",
  asks = "Does a subscriber get a message that comes after a long silence?",
  source = "redis.conf: tcp-keepalive; nf_conntrack-sysctl: nf_conntrack_tcp_timeout_established",
  tags = { "programs", "firewall", "nft", "keepalive", "redis" },
  needs = { "program redis-server", "program redis-cli" },
  cases = {
    {
      name = "without-keepalive",
      keepalive = 0,
      title = "redis-server without keepalive, and a firewall that forgets",
      here = "No. PUBLISH says that one subscriber got it, but the firewall drops the message. The "
        .. "subscriber waits on and notices nothing. redis-server 7.0 gets ETIMEDOUT when the "
        .. "kernel gives up: after 15 minutes by default. Measured on Linux 6.18.",
      why = "PUBLISH counts the subscribers whose connection is open, and to both kernels this one "
        .. "is ESTABLISHED. redis-cli turns keepalive on, but its first probe comes after 15 s: "
        .. "too late for this firewall.",
      expect = function(lab, client, server)
        lab:never(client, 0.5):prints "news of today"
        lab:expect(client):still_in_state "ESTABLISHED"
        local limit = lab:timer("r2", server)
        lab:expect(server):within(2 * limit):call("recv"):fails "ETIMEDOUT"
      end,
    },
    {
      name = "with-keepalive",
      keepalive = 1,
      title = "redis-server with keepalive, and a firewall that forgets",
      here = "Yes, if tcp-keepalive is shorter than the timeout of the firewall. By default it is "
        .. "300 s, which is too long for a firewall that forgets after 4 minutes. redis-server "
        .. "7.0, measured on Linux 6.18.",
      why = "Each probe and its answer cross the firewall, which then counts from zero again.",
      expect = function(lab, client)
        lab:expect(client):prints "news of today"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = firewall.hosts(lab)
    local server = kodos:service {
      "redis-server", "--save", "", "--protected-mode", "no", "--tcp-keepalive", case.keepalive,
      "--hz", 1, -- its own timer: 10 times a second by default, which makes long waits slow
      ready = { prints = "Ready to accept connections" },
    }
    local client = kang:run("redis-cli", "-h", "kodos", "SUBSCRIBE", "news")
    lab:expect(client):prints "subscribe"
    lab:expect(client):in_state "ESTABLISHED"

    firewall.wait_until_it_forgets(lab)
    local publisher = kodos:run("redis-cli", "PUBLISH", "news", "news of today",
      { watch = false })
    lab:expect(publisher):prints "1"
    case.expect(lab, client, server)
  end,
}
