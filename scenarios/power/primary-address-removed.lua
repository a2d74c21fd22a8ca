-- A host has two addresses in one network. The first is retired, and with it goes the second: in
-- IPv4 it was the first one's secondary, and shares its fate.
return {
  title = "The primary address is removed",
  asks = "Which connections suffer when a host's first address is taken away?",
  source = "ip-sysctl, promote_secondaries; ip-address(8), \"secondary\"",
  here = "Those of the other addresses of the same network as well: they are deleted along with "
    .. "it, silently, and nothing more is sent on them. With promote_secondaries = 1 the second "
    .. "address becomes the first, and its connections go on. Linux 2.6.12 or newer.",
  why = "__inet_del_ifa() deletes the secondaries of a primary address unless IN_DEV_PROMOTE_"
    .. "SECONDARIES says otherwise; distributions with systemd set it. IPv6 has no such relation.",
  tags = { "power", "address" },
  families = { 4 },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" })
    local data = "tcp[tcpflags] & tcp-push != 0"
    local server = kodos:dnc("-k", "-l", 8080)
    local function lose_primary(host, second)
      host:add_address(second)
      local client = host:dnc("-s", second, kodos, 8080)
      lab:expect(client):in_state "ESTABLISHED"
      host:remove_address(host:address())
      client:type("from " .. second .. "\n")
      lab:expect(client):call("write"):returns()
      return client
    end

    krusty:sysctl("net.ipv4.conf.eth0.promote_secondaries", 1)
    local fortunate = lose_primary(krusty, "10.0.0.9")
    lab:expect(server):prints "from 10.0.0.9"
    fortunate:stop()
    lab:expect(krusty):in_state "FIN_WAIT2"

    local client = lose_primary(kang, "10.0.0.8")
    lab:never_packet(0.5, "kang > kodos", data)
    lab:expect(client):still_in_state "ESTABLISHED"
    local patience = lab:timer("retransmission_timeout", kang)
    lab:expect(client):within(2 * patience):call("read"):fails "ETIMEDOUT"
  end,
}
