-- ssh with its own heartbeat, and a limit for connecting.
-- Packages: openssh-client, openssh-server
local ssh = include "servers/ssh.lib.lua"
local COMMAND = "exec ssh " .. ssh.options
  .. " -o ServerAliveInterval=5 -o ConnectTimeout=10 root@SERVER "
  .. "'sleep 2; head -c 65536 /dev/zero | tr \\\\0 x'"

return ssh.audit {
  title = "ssh, ServerAliveInterval=5",
  client = { "sh", "-c", COMMAND },
}
