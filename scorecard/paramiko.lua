-- Python's paramiko as it is.
-- Packages: python3-paramiko, openssh-client, openssh-server
local ssh = include "servers/ssh.lib.lua"
local CLIENT = [[
import paramiko
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
client.connect("SERVER", username="root", key_filename="/tmp/key", look_for_keys=False,
               allow_agent=False)
output = client.exec_command("sleep 2; head -c 65536 /dev/zero | tr '\\0' x")[1]
print(len(output.read()), flush=True)
client.close()
]]

return ssh.audit {
  title = "Python paramiko",
  client = { "/usr/bin/python3", "-c", CLIENT },
}
