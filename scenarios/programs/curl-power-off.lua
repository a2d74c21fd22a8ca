local gives_up = include "gives_up.lib.lua"

return {
  title = "curl waits for an answer, and the server loses its power",
  asks = "How long does curl wait for a server without power?",
  source = "curl(1), --keepalive-time; tcp(7), TCP_KEEPCNT",
  here = "Until its keepalive probes have gone unanswered: the idle time and nine intervals. Then "
    .. "recv fails with ETIMEDOUT, and curl 7.88 exits with 56. Measured on Linux 6.18.",
  why = "curl sets the idle time and the interval, but not TCP_KEEPCNT, which is then "
    .. "net.ipv4.tcp_keepalive_probes. With curl's 60 s and the kernel's nine probes, that is ten "
    .. "minutes.",
  tags = { "programs", "power", "keepalive" },
  needs = { "program curl" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:sysctl("net.ipv4.tcp_keepalive_probes", 3)
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("curl", "-s", "--keepalive-time", 1, "http://kodos:8080/")
    lab:expect(client):call("send"):returns()
    local request = lab:expect(server):call("read"):returns()

    kodos:power_off()
    gives_up.expect(lab, client, "keepalive_timeout", request.t)
    lab:expect(client):exits(56)
  end,
}
