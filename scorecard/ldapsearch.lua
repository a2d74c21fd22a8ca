-- ldapsearch as it is.
-- Packages: ldap-utils, slapd
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
mkdir /tmp/db /tmp/run && cat >/tmp/slapd.conf <<'.' || exit
include /etc/ldap/schema/core.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile /tmp/run/pid
database mdb
suffix "dc=x"
rootdn "cn=admin,dc=x"
directory /tmp/db
.
printf 'dn: dc=x\nobjectClass: dcObject\nobjectClass: organization\ndc: x\no: x\n' |
  slapadd -f /tmp/slapd.conf
exec slapd -d 0 -f /tmp/slapd.conf -h ldap://:389
]]

return audit {
  title = "ldapsearch",
  needs = { "program ldapsearch", "program slapd" },
  server = { "sh", "-c", START, cwd = "/tmp", name = "server" },
  port = 389,
  client = { "ldapsearch", "-x", "-LLL", "-H", "ldap://SERVER", "-b", "dc=x" },
}
