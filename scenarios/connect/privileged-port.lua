-- Ports below 1024 were once a promise that a machine's administrator stands behind a service. The
-- kernel still keeps it; how far up it goes may be set.
return {
  title = "A privileged port",
  asks = "What does bind return for port 80 when the program is not root's?",
  source = "bind(2), EACCES; capabilities(7), CAP_NET_BIND_SERVICE; ip-sysctl, "
    .. "ip_unprivileged_port_start",
  here = "EACCES below ip_unprivileged_port_start, which is 1024 by default; 0 from there on. "
    .. "connect to such a port needs no privilege. Linux 4.11 and newer (1024, fixed, before).",
  why = "__inet_bind() asks ns_capable() for CAP_NET_BIND_SERVICE when the port is below "
    .. "inet_prot_sock().",
  tags = { "connect", "bind", "privileges" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 80)
    local ordinary = kang:dnc("--repl")
    ordinary:type("drop\nsocket " .. lab.family .. "\nbind 80\n")
    lab:expect(ordinary):call("capset"):returns(0)
    lab:expect(ordinary):call("bind"):fails "EACCES"
    ordinary:type "connect kodos 80\n"
    lab:expect(ordinary):call("connect"):returns(0)

    kang:sysctl("net.ipv4.ip_unprivileged_port_start", 80)
    ordinary:type("socket " .. lab.family .. "\nbind 80\nlisten\n")
    lab:expect(ordinary):call("bind"):returns(0)
    lab:expect(ordinary):call("listen"):returns(0)
  end,
}
