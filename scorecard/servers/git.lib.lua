-- How a server makes a repository of 256 kB in /tmp/r, for sh(1).
return [[
export HOME=/tmp
git init -q /tmp/r && cd /tmp/r && head -c 262144 /dev/urandom >data && git add data &&
git -c user.name=x -c user.email=x@x commit -qm one && git update-server-info && cd /tmp || exit
]]
