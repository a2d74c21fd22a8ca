-- ssh as it is: keepalive is on, with the times of the kernel.
-- Packages: openssh-client, openssh-server
local ssh = include "servers/ssh.lib.lua"
local COMMAND = "exec ssh " .. ssh.options .. " root@SERVER "
  .. "'sleep 2; head -c 65536 /dev/zero | tr \\\\0 x'"

return ssh.audit {
  title = "ssh",
  client = { "sh", "-c", COMMAND },
}
