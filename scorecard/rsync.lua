-- rsync with a server that speaks its own protocol, as it is.
-- Packages: rsync
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
mkdir /tmp/r && head -c 262144 /dev/urandom >/tmp/r/data
printf 'use chroot = no\n[r]\npath = /tmp/r\n' >/tmp/rsyncd.conf
exec rsync --daemon --no-detach --config=/tmp/rsyncd.conf
]]

return audit {
  title = "rsync rsync://",
  needs = { "program rsync" },
  server = { "sh", "-c", START, cwd = "/tmp", name = "server" },
  port = 873,
  client = { "rsync", "-a", "rsync://SERVER/r/", "/tmp/copy" },
}
