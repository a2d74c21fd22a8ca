-- An sshd for the scorecard. It lets in whoever has a key: it asks echo(1) which keys are allowed,
-- and that repeats the key it was asked about.
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
mkdir -p /run/sshd && ssh-keygen -q -t ed25519 -N "" -f /tmp/host_key || exit
%s
exec /usr/sbin/sshd -De -f none -p 22 -h /tmp/host_key -o PidFile=none -o StrictModes=no \
  -o "AuthorizedKeysCommand=/bin/echo %%t %%k" -o AuthorizedKeysCommandUser=root \
  -o SetEnv=HOME=/nonexistent
]]
local ssh = {
  options = "-F none -i /tmp/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "
    .. "-o LogLevel=ERROR",
}

function ssh.make_key(cell)
  local keygen = { "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "/tmp/key", watch = false }
  cell.lab:expect(cell.client_host:run(keygen)):within(20):exits(0)
end

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`. `before` is
-- what the server's shell does first.
function ssh.audit(plan, before)
  plan.needs = { "root", "program ssh", "program /usr/sbin/sshd" }
  plan.prepare = ssh.make_key
  plan.server = { "sh", "-c", START:format(before or ""), cwd = "/tmp", name = "server" }
  plan.port = 22
  return audit(plan)
end

return ssh
