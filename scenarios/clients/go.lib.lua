-- Compiles a Go program on a host, and starts it. The compiler is not watched: nobody asks for its
-- calls, and each recorded call takes time. A small program compiles three times as fast without a
-- garbage collector and symbols.
local wait = include "wait.lib.lua"
local NO_LIBRARY = 3
local BUILD = [[
[ -z "$1" ] || [ -e "/usr/share/gocode/src/$1" ] || exit $2
echo "$0" >/tmp/client.go && GOGC=off go build -ldflags "-s -w" -o /tmp/client /tmp/client.go
]]

-- Returns the program, which has printed "ready". `library` is what it imports besides Go's own, or
-- nil. The other arguments are the program's.
return function(lab, host, text, library, ...)
  local compiler = host:run {
    "sh", "-c", BUILD, text, library or "", NO_LIBRARY, name = "compiler", watch = false,
    env = { GOCACHE = "/tmp/cache", GOPATH = "/usr/share/gocode", GO111MODULE = "off" },
  }
  wait.until_compiled(lab, compiler, NO_LIBRARY, "the Go library " .. (library or ""))
  local client = host:run { name = "client", "/tmp/client", ... }
  lab:expect(client):within(20):prints "ready"
  return client
end
