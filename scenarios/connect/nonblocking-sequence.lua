-- An event loop calls connect several times on one socket. Each return value tells the state of the
-- handshake. The wire holds the SYN/ACK until connect has been called in each state.
return {
  title = "Non-blocking connect, called repeatedly",
  asks = "What does connect return on a non-blocking socket before, during and after the "
    .. "handshake?",
  source = "connect(2), EINPROGRESS, EALREADY, EISCONN; POSIX, connect()",
  here = "EINPROGRESS first, EALREADY during the handshake, then 0 once, then EISCONN. poll "
    .. "reports OUT when the handshake is complete. Any Linux version.",
  why = "__inet_stream_connect() in net/ipv4/af_inet.c keeps a socket state beside the TCP state: "
    .. "SS_CONNECTING until a connect call reports success. So connect returns 0 once, where other "
    .. "systems return EISCONN at once. A portable program treats both as success.",
  tags = { "connect", "non-blocking", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket nonblock\n")
    client:type "connect kodos 8080\nconnect\npoll out 0s\n"
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect(client):call("connect"):fails "EALREADY"
    lab:expect(client):call("poll"):returns(0)
    lab:expect(client):in_state "SYN_SENT"

    client:type "poll out\n"
    lab:expect(client):call("poll"):is_entered()
    syn_ack:remove()
    lab:expect(client):call("poll"):returns(1, "OUT")
    client:type "getsockopt SO_ERROR\nconnect\nconnect\n"
    lab:expect(client):call("getsockopt", "SO_ERROR"):gives(0)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):call("connect"):fails "EISCONN"
    lab:expect(client):in_state "ESTABLISHED"
  end,
}
