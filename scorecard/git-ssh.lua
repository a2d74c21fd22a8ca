-- git clone over ssh, as it is.
-- Packages: git, openssh-client, openssh-server
local ssh = include "servers/ssh.lib.lua"
local repository = include "servers/git.lib.lua"

return ssh.audit({
  title = "git clone ssh://",
  client = {
    "git", "clone", "-q", "ssh://root@SERVER/tmp/r", "/tmp/clone",
    env = { GIT_SSH_COMMAND = "ssh " .. ssh.options },
  },
}, repository)
