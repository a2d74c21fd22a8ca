-- Addresses that are not a host's: "any" means oneself to Linux, and nobody can shake hands with
-- everybody.
return {
  title = "Connect to nobody and to everybody",
  asks = "What does connect return for the wildcard address and for a multicast address?",
  source = "RFC 1122 sections 3.2.1.3 and 4.2.3.10; connect(2), ENETUNREACH; ip(7)",
  here = "The wildcard is this host: ECONNREFUSED, or whoever listens there. A multicast address: "
    .. "ENETUNREACH. Linux 6.18.",
  why = "tcp_v4_connect() takes INADDR_ANY for the loopback, an old BSD habit, and refuses a route "
    .. "that is multicast or broadcast with ENETUNREACH; so does tcp_v6_connect().",
  tags = { "connect", "address" },

  run = function(lab)
    local kang = lab:pair()
    local wildcard = lab.family == 4 and "0.0.0.0" or "::"
    local everybody = lab.family == 4 and "224.0.0.1" or "ff02::1"
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. "\n")
    client:type("connect " .. wildcard .. " 8080\nconnect " .. everybody .. " 8080\n")
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):call("connect"):fails "ENETUNREACH"

    kang:dnc("-l", 8080)
    client:type("connect " .. wildcard .. " 8080\n")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")
  end,
}
