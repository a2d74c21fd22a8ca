-- A program's keepalive options replace its host's settings. lab:timer knows them.
return {
  title = "Keepalive by a program's own options",
  asks = "Does lab:timer know the keepalive times that a program sets for its socket?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = "7200",
        ["net.ipv4.tcp_keepalive_intvl"] = "75",
        ["net.ipv4.tcp_keepalive_probes"] = "9",
      },
    }
    local client = lab:connect(kang, kodos, { client = { "--keepalive", "1/1/2" } })
    local last_heard = lab:expect_packet("kodos > kang", "SYN ACK")
    local formula = lab:timer("keepalive_timeout", client)
    lab:check(formula == 3, "1 s idle and 2 probes, 1 s apart", formula)
    local host = lab:timer("keepalive_timeout", kang)
    lab:check(host == 7200 + 9 * 75, "the host's settings are for other programs", host)

    kodos:unplug()
    local read = lab:expect(client):call("read"):fails "ETIMEDOUT"
    lab:expect_time(read.t - last_heard.t, formula, "giving up by keepalive")
  end,
}
