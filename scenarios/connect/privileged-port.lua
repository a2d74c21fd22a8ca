-- An unprivileged program cannot bind a port below 1024, so only the administrator can start a
-- service there. A sysctl moves that limit.
return {
  title = "Bind to a privileged port",
  asks = "What does bind return for port 80 if the program is not privileged?",
  source = "bind(2), EACCES; capabilities(7), CAP_NET_BIND_SERVICE; ip-sysctl, "
    .. "ip_unprivileged_port_start",
  here = "bind fails with EACCES below ip_unprivileged_port_start (1024 by default) and returns 0 "
    .. "from there on. connect to such a port needs no privilege. Linux 4.11 or newer; in older "
    .. "kernels the limit is always 1024.",
  why = "__inet_bind() requires CAP_NET_BIND_SERVICE (ns_capable()) for a port below the limit "
    .. "(inet_port_requires_bind_service()).",
  tags = { "connect", "bind", "privileges" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 80)
    local ordinary = kang:dnc("--repl")
    ordinary:type("drop\nsocket\nbind 80\n")
    lab:expect(ordinary):call("capset"):returns(0)
    lab:expect(ordinary):call("bind"):fails "EACCES"
    ordinary:type "connect kodos 80\n"
    lab:expect(ordinary):call("connect"):returns(0)

    kang:sysctl("net.ipv4.ip_unprivileged_port_start", 80)
    ordinary:type("socket\nbind 80\nlisten\n")
    lab:expect(ordinary):call("bind"):returns(0)
    lab:expect(ordinary):call("listen"):returns(0)
  end,
}
