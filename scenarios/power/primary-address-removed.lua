-- A host has two addresses in one network. When the first is removed, the second disappears with
-- it: on IPv4 it is a secondary address of the first.
return {
  title = "Primary address removed",
  asks = "Which connections break when a host's first address is removed?",
  source = "ip-sysctl, promote_secondaries; ip-address(8), \"secondary\"",
  here = "Those of the removed address, and those of the host's other addresses in the same "
    .. "network. The kernel deletes these addresses along with the first, without a message, and "
    .. "their connections cannot send any more. With promote_secondaries = 1 the second address "
    .. "becomes the first, and its connections go on. Linux 2.6.12 or newer.",
  why = "__inet_del_ifa() deletes the secondaries of a primary address unless "
    .. "IN_DEV_PROMOTE_SECONDARIES is set; distributions with systemd set it. In IPv6, no address "
    .. "depends on another one.",
  tags = { "power", "address" },
  families = { 4 },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" })
    local function lose_primary(host, second, port)
      host:add_address(second)
      local client, server = lab:connect(host, kodos, { client = { "-s", second }, port = port })
      host:remove_address(host:address())
      client:type("from " .. second .. "\n")
      lab:expect(client):call("write"):returns()
      return client, server
    end

    krusty:sysctl("net.ipv4.conf.eth0.promote_secondaries", 1)
    local survivor, server = lose_primary(krusty, "10.0.0.9", 8080)
    lab:expect(server):prints "from 10.0.0.9"
    survivor:stop()
    lab:expect(krusty):in_state "FIN_WAIT2"

    local client = lose_primary(kang, "10.0.0.8", 8081)
    lab:never_packet(0.5, "kang > kodos", "data")
    lab:expect(client):still_in_state "ESTABLISHED"
    local gives_up_after = lab:timer("r2", kang)
    lab:expect(client):within(2 * gives_up_after):call("read"):fails "ETIMEDOUT"
  end,
}
