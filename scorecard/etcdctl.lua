-- etcdctl as it is: 2 s for connecting, 5 s for a command.
-- Packages: etcd-client, etcd-server
local audit = include "tcplab/audit/audit.lib.lua"

return audit {
  title = "etcdctl get",
  needs = { "program etcd", "program etcdctl" },
  server = {
    "etcd", "--data-dir", "/tmp/etcd", "--listen-client-urls", "http://0.0.0.0:2379",
    "--advertise-client-urls", "http://SERVER:2379", cwd = "/tmp", name = "server",
  },
  port = 2379,
  client = { "etcdctl", "--endpoints=http://SERVER:2379", "get", "key" },
  families = { 4 },
}
