-- The peer of a program that only reads is powered off. With `--timers stock`, keepalive has the
-- kernel's defaults, and finds out after 2 h 11 min. Run it on hosts whose time jumps:
--   tcplab run bench/clock/default-keepalive.lua --kernel 6.1 --timers stock
return {
  title = "Keepalive with the kernel's defaults",
  asks = "How long does a program with SO_KEEPALIVE read from a host that is off?",

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--keepalive", "//" } })
    local last_heard = lab:expect_packet("kodos > kang", "SYN ACK")

    kodos:power_off()
    local dies_after = lab:timer("keepalive_timeout", kang)
    lab:expect(client):within(dies_after * 1.5):call("read"):fails "ETIMEDOUT"
    local reset = lab:expect_packet("kang > kodos", "RST", { fate = "lost" })
    lab:expect_time(reset.t - last_heard.t, dies_after, "giving up by keepalive")
    lab:expect(client):in_state "CLOSED"
  end,
}
