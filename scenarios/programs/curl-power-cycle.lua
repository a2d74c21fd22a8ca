-- curl turns keepalive on. Without it, it would wait for ever: see user-timeout-while-waiting.
return {
  title = "curl waits for an answer, and the server gets a power cycle",
  asks = "When does curl learn that its server has restarted?",
  source = "curl(1), --keepalive-time; RFC 9293 section 3.5.1 (half-open connections)",
  here = "At its first keepalive probe: the new kernel answers with RST, and recv fails with "
    .. "ECONNRESET. curl 7.88 exits with 56. Measured on Linux 6.18.",
  why = "Nobody sends anything while curl waits for the answer. curl sets TCP_KEEPIDLE and "
    .. "TCP_KEEPINTVL to 60 s, or to the value of --keepalive-time. The probe is the first segment "
    .. "that the new kernel gets.",
  tags = { "programs", "power", "keepalive" },
  needs = { "program curl" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("curl", "-s", "--keepalive-time", 1, "http://kodos:8080/")
    lab:expect(client):call("setsockopt", "TCP_KEEPIDLE = 1"):returns(0)
    lab:expect(client):call("send"):returns()
    local request = lab:expect(server):call("read"):returns()

    kodos:power_cycle()
    local probe = lab:expect_packet("kang > kodos", "keepalive probe")
    lab:expect_packet("kodos > kang", "RST")
    local notice = lab:expect(client):call("recv"):fails "ECONNRESET"
    lab:check(notice.t > probe.t and probe.t > request.t, "the probe comes before the notice")
    lab:expect(client):exits(56)
  end,
}
