-- lftp from an FTP server, as it is: 5 minutes without an answer, and it tries again for ever.
-- Packages: lftp, vsftpd
local audit = include "tcplab/audit/audit.lib.lua"
local SETTINGS = [[
listen=YES
listen_ipv6=NO
anonymous_enable=YES
anon_root=/tmp/ftp
secure_chroot_dir=/run/empty
background=NO
seccomp_sandbox=NO
]]
local START = [[
mkdir -p /tmp/ftp /run/empty && head -c 262144 /dev/urandom >/tmp/ftp/data
echo "$0" >/tmp/vsftpd.conf && exec vsftpd /tmp/vsftpd.conf
]]

return audit {
  title = "lftp ftp://",
  needs = { "root", "program lftp", "program vsftpd" },
  server = { "sh", "-c", START, SETTINGS, cwd = "/tmp", name = "server" },
  port = 21,
  client = { "lftp", "-c", "get ftp://SERVER/data -o /tmp/copy" },
  families = { 4 },
}
