-- git speaks its own protocol. dnc plays the server: it reads the request and is silent.
local expect_acknowledged = include "acknowledged.lib.lua"
local gives_up = include "gives_up.lib.lua"

return {
  title = "git waits for its server",
  asks = "When does git learn that its server is gone?",
  source = "git: connect.c, enable_keepalive(); git-daemon(1)",
  tags = { "programs", "power", "keepalive" },
  needs = { "program git" },
  cases = {
    {
      name = "power-off",
      title = "git waits for its server, and the server loses its power",
      here = "When its keepalive probes have gone unanswered: after 2 hours and 11 minutes by "
        .. "default. read then fails with ETIMEDOUT, and git 2.39 exits with 128. Measured on "
        .. "Linux 6.18.",
      why = "git turns keepalive on, but sets no time and has no timer of its own. So "
        .. "tcp_keepalive_time, tcp_keepalive_intvl and tcp_keepalive_probes of the host decide: "
        .. "7200 s and nine times 75 s.",
      run = function(lab, client, kodos, heard)
        kodos:power_off()
        gives_up.expect(lab, client, "keepalive_timeout", heard.t)
        lab:expect(client):prints "fatal: read error: Connection timed out"
        lab:expect(client):exits(128)
      end,
    },
    {
      name = "power-cycle",
      title = "git waits for its server, and the server gets a power cycle",
      here = "At its first keepalive probe: after 2 hours by default. The new kernel answers with "
        .. "a RST, read fails with ECONNRESET, and git 2.39 exits with 128. Measured on Linux "
        .. "6.18.",
      why = "git turns keepalive on, but sets no time. The probe is the first segment that the new "
        .. "kernel gets.",
      run = function(lab, client, kodos, heard, _, kang)
        kodos:power_cycle()
        local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
        local probe = lab:expect_packet("kang > kodos", "keepalive probe", { within = 2 * idle })
        lab:expect_time(probe.t - heard.t, idle, "the first probe")
        lab:expect(client):call("recv"):fails "ECONNRESET"
        lab:expect(client):prints "fatal: read error: Connection reset by peer"
        lab:expect(client):exits(128)
      end,
    },
    {
      name = "frozen",
      title = "git waits for its server, and the server is frozen",
      here = "Never: git 2.39 waits for as long as the server is frozen. Measured on Linux 6.18.",
      why = "The kernel of the frozen server answers each keepalive probe, and git has no timer "
        .. "of its own for this protocol.",
      run = function(lab, client, _, _, server, kang)
        local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
        server:freeze()
        local probes = idle < lab.hour and 3 or 1  -- a run lasts at most 4 hours
        for _ = 1, probes do
          lab:expect_packet("kang > kodos", "keepalive probe", { within = 2 * idle })
          lab:expect_packet("kodos > kang", "ACK only")
        end
        lab:never(client, 0.2):notices()
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 9418)
    local client = kang:run("git", "ls-remote", "git://kodos/repository")
    lab:expect(client):call("setsockopt", "SO_KEEPALIVE = 1"):returns(0)
    lab:expect(server):prints "version=2"
    local heard = expect_acknowledged(lab, kang, kodos, "ACK only")
    case.run(lab, client, kodos, heard, server, kang)
  end,
}
