-- ssh turns keepalive on, with the kernel's times: 2 hours. ServerAliveInterval makes ssh ask the
-- server itself, inside the encrypted stream, when it has heard nothing for that long.
local expect_acknowledged = include "acknowledged.lib.lua"
local unplug_while_sending = include "cable.lib.lua"
local INTERVAL = 1
local COUNT_MAX = 3 -- ServerAliveCountMax, by default
local NEW_KEY = 'ssh-keygen -q -t ed25519 -N "" -f /tmp/key && cat /tmp/key.pub'

-- Makes a key on a host, and returns its public part.
local function new_key(lab, host)
  local keygen = host:run("sh", "-c", NEW_KEY, { watch = false })
  lab:expect(keygen):exits(0)
  return keygen:output()
end

-- sshd gives its shell a home without start-up files, so that none of the machine's are run.
local function start_sshd(lab, kang, kodos)
  kodos:file("/run/sshd/authorized_keys", new_key(lab, kang)) -- sshd needs this folder
  new_key(lab, kodos)
  kodos:service {
    "/usr/sbin/sshd", "-D", "-f", "none", "-p", 22, "-h", "/tmp/key",
    "-o", "AuthorizedKeysFile=/run/sshd/authorized_keys", "-o", "StrictModes=no",
    "-o", "PidFile=none", "-o", "SetEnv=HOME=/nonexistent", "-o", "ForceCommand=echo ready; cat",
    watch = false, ready = { port = 22, within = 20 },
  }
end

local function expect_reset(lab, client)
  lab:expect(client):call("recv"):fails "ECONNRESET"
  lab:expect(client):call("send"):fails "EPIPE"
  lab:expect(client):prints "client_loop: send disconnect: Broken pipe"
  lab:expect(client):exits(255)
end

-- ssh gives up when it has heard nothing more for three to four intervals.
local function expect_own_timeout(lab, client, heard)
  local longest = INTERVAL * (COUNT_MAX + 1)
  local notice = lab:expect(client):within(2 * longest)
    :prints "Timeout, server kodos not responding."
  lab:expect_between(notice.t - heard.t, INTERVAL * COUNT_MAX, longest, "giving up")
  lab:expect(client):exits(255)
end

return {
  title = "ssh on an idle connection",
  asks = "When does ssh learn that its server is gone?",
  source = "ssh_config(5): ServerAliveInterval, ServerAliveCountMax, TCPKeepAlive",
  tags = { "programs", "power", "keepalive" },
  needs = { "root", "program ssh", "program /usr/sbin/sshd", "program pkill" },
  cases = {
    {
      name = "alive-power-off",
      interval = INTERVAL,
      title = "ssh with ServerAliveInterval: the server loses its power",
      here = "When ServerAliveCountMax messages, 3 by default, have gone unanswered: after three "
        .. "to four intervals. No system call fails: ssh 9.2 prints \"Timeout, server kodos not "
        .. "responding\", and exits with 255. Measured on Linux 6.18.",
      why = "The timer is ssh's own. It starts when nothing more arrives. Each time that it ends, "
        .. "ssh sends a message. Keepalive does not help: it runs only while nothing is "
        .. "unacknowledged, and by default it needs 2 hours.",
      run = function(lab, client, kodos, heard)
        kodos:power_off()
        expect_own_timeout(lab, client, heard)
      end,
    },
    {
      name = "alive-power-cycle",
      interval = INTERVAL,
      title = "ssh with ServerAliveInterval: the server gets a power cycle",
      here = "At its next message: the new kernel answers with a RST. read fails with ECONNRESET. "
        .. "ssh 9.2 then tries to say goodbye, gets EPIPE, and prints \"Broken pipe\". Measured on "
        .. "Linux 6.18.",
      why = "ssh sends a message after one interval of silence. The error that it prints is that "
        .. "of its last call, not that of the first one.",
      run = function(lab, client, kodos, heard)
        kodos:power_cycle()
        local reset = lab:expect_packet("kodos > kang", "RST")
        lab:expect_between(reset.t - heard.t, 0, INTERVAL, "the next message")
        expect_reset(lab, client)
      end,
    },
    {
      name = "alive-frozen",
      interval = INTERVAL,
      title = "ssh with ServerAliveInterval: the server is frozen",
      here = "When ServerAliveCountMax messages, 3 by default, have gone unanswered, as with a "
        .. "server without power. ssh 9.2 prints \"Timeout, server kodos not responding\", and "
        .. "exits with 255. Measured on Linux 6.18.",
      why = "The messages go to the program sshd, which does not answer. Keepalive and "
        .. "TCP_USER_TIMEOUT would not help: the kernel of a frozen sshd acknowledges everything.",
      run = function(lab, client, kodos, heard)
        lab:expect(kodos:run("pkill", "-STOP", "sshd", { watch = false })):exits(0)
        expect_own_timeout(lab, client, heard)
      end,
    },
    {
      name = "alive-cable-out",
      interval = INTERVAL,
      title = "ssh with ServerAliveInterval: the cable is out",
      here = "When ServerAliveCountMax messages, 3 by default, have gone unanswered. The session "
        .. "is lost, although the cable may be back soon: with ServerAliveInterval=5, an outage of "
        .. "20 s is too long. ssh 9.2 exits with 255. Measured on Linux 6.18.",
      why = "ssh cannot tell a cable that is out from a server without power. TCP itself would "
        .. "have survived the outage: it gives up after 15 minutes by default.",
      run = function(lab, client, kodos, heard)
        kodos:unplug()
        expect_own_timeout(lab, client, heard)
      end,
    },
    {
      name = "cable-out",
      interval = 0,
      title = "ssh without ServerAliveInterval: the cable is out while its user types",
      here = "Nothing but a long wait: the session lives on. What the user typed arrives with the "
        .. "first retransmission after the cable is back. So the wait can be twice as long as the "
        .. "outage: 53 to 55 s for 30 s without a cable. ssh 9.2, measured on Linux 6.18.",
      why = "Each retransmission waits twice as long as the one before. Nobody tells the kernel "
        .. "that the cable is back.",
      run = function(lab, client, kodos)
        unplug_while_sending(lab, kodos, function()
          client:type "is anybody there?\n"
          return lab:expect_packet("kang > kodos", "data")
        end)
        lab:expect(client):prints "is anybody there?"
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "power-cycle",
      interval = 0,
      title = "ssh without ServerAliveInterval: the server gets a power cycle",
      here = "When its user presses a key: the new kernel answers with a RST. Until then an idle "
        .. "ssh 9.2 notices nothing, for 2 hours by default. Measured on Linux 6.18.",
      why = "ssh turns keepalive on, but sets no time. So the first probe comes after "
        .. "tcp_keepalive_time.",
      run = function(lab, client, kodos)
        kodos:power_cycle()
        lab:never(client, 1.5 * INTERVAL):notices()
        client:type "is anybody there?\n"
        lab:expect_packet("kodos > kang", "RST")
        expect_reset(lab, client)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kang:sysctl("net.ipv4.tcp_keepalive_time", 7200)
    kang:sysctl("net.ipv4.tcp_retries2", 15) -- as by default: ssh's timer has to be the first
    start_sshd(lab, kang, kodos)
    local client = kang:run("ssh", "-F", "none", "-i", "/tmp/key",
      "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
      "-o", "ServerAliveInterval=" .. case.interval, "root@kodos")
    local heard = lab:expect(client):within(20):prints "ready"
    expect_acknowledged(lab, kodos, kang)
    lab:expect(client):call("setsockopt", "SO_KEEPALIVE = 1"):returns(0)
    case.run(lab, client, kodos, heard)
  end,
}
