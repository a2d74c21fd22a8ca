-- The resolver replies 8 s late. The C library waits 5 s for a reply, and asks twice: it gets the
-- reply in its second wait (resolv.conf(5)). Other resolvers may give up before.
local REPLIES_LATE = 8 -- seconds

return {
  name = "slow-dns",
  title = "DNS replies 8 s late",
  sides = { "path" },
  moments = { "before-connect" },
  hosts = function(lab)
    local client, server, resolver =
      lab:hosts({ "client", "server", "resolver" }, { etc_hosts = false })
    return client, server, lab:dns { on = resolver, server = server, client = client }
  end,
  begin = function(cell) cell.between:slow(REPLIES_LATE) end,
}
