-- A pool opens its connections one after the other. TCP connects, and then the server says nothing:
-- its host has lost its power before the MySQL handshake. PyMySQL stands for the Java driver.
local wait = include "wait.lib.lua"
local CLIENT = [[
import pymysql, sys
timeout = float(sys.argv[1]) or None
try:
    pymysql.connect(host="kodos", user="user", connect_timeout=1, read_timeout=timeout)
except pymysql.err.OperationalError as error:
    print("failed:", error, flush=True)
]]

return {
  title = "PyMySQL connects, and the server says nothing",
  asks = "How long does a client of MySQL wait for the handshake of its server?",
  source = "alibaba/druid#4440: the only thread that opens connections hangs in the handshake for "
    .. "2 hours and 11 minutes, because the driver has no socketTimeout",
  tags = { "clients", "power", "keepalive" },
  needs = { "program /usr/bin/python3" },
  cases = {
    {
      name = "default",
      title = "PyMySQL without read_timeout: the server loses its power before the handshake",
      here = "2 hours and 11 minutes by default: the claim holds for PyMySQL 1.0, too. recv fails "
        .. "with ETIMEDOUT when the kernel's keepalive probes have gone unanswered. "
        .. "connect_timeout, 1 s here and 10 s by default, does not help: TCP has connected. "
        .. "Measured on Linux 6.18.",
      why = "The server speaks first in MySQL, so the client has nothing unacknowledged. PyMySQL "
        .. "sets SO_KEEPALIVE and no times: 7200 s and nine times 75 s, the sum in the thread.",
      expect = function(lab, client, heard)
        local limit = lab:timer("keepalive_timeout", client)
        wait.until_it_gives_up(lab, client, heard, limit)
        lab:expect(client):prints "Lost connection to MySQL server during query"
      end,
    },
    {
      name = "read-timeout",
      read_timeout = 0.5,
      title = "PyMySQL with read_timeout: the server loses its power before the handshake",
      here = "Until read_timeout is over, 0.5 s here. No call fails: poll returns 0. PyMySQL 1.0, "
        .. "measured on Linux 6.18.",
      why = "read_timeout is a timer of the program. It covers the handshake, too.",
      expect = function(lab, client)
        local poll = lab:expect(client):times_out()
        lab:expect_time(poll.t - poll.entered, 0.5, "read_timeout")
        lab:expect(client):prints "timed out"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 3306)
    lab:when(lab:packet("kang > kodos", "ACK only", { fate = "delivered" }), function()
      kodos:power_off()
    end)
    local client = kang:run("/usr/bin/python3", "-c", CLIENT, case.read_timeout or 0)
    local outcome = lab:first {
      connected = client:call("connect"):returns(),
      missing = client:prints "No module named",
      within = 20,
    }
    if outcome == "missing" then lab:skip "the Python module pymysql is not installed" end
    local heard = lab:expect_packet("kodos > kang", "SYN ACK")
    case.expect(lab, client, heard)
  end,
}
