-- TCP_MD5SIG adds a keyed digest to every segment; BGP sessions use it. A peer with no key or a
-- wrong key gets no error: its segments are dropped silently.
return {
  title = "TCP_MD5SIG: signed segments",
  asks = "What does a peer see if it has no key or the wrong key?",
  source = "RFC 2385; tcp(7); RFC 5925 (which obsoletes it)",
  here = "No answer, and then ETIMEDOUT: its SYN arrives and is dropped. With the same key the "
    .. "connection is established. A forged RST or forged data with exact numbers but no "
    .. "signature has no effect. Linux 2.6.20 or newer, with CONFIG_TCP_MD5SIG.",
  why = "tcp_inbound_hash() checks the digest before TCP processes the segment. It drops a "
    .. "segment whose digest is missing, wrong or unexpected, and only counts it (TCPMD5NotFound, "
    .. "TCPMD5Failure, TCPMD5Unexpected). There is no negotiation.",
  tags = { "segments", "reset", "connect", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl")
    server:type("socket\nbind 8080\n")
    server:type("setsockopt TCP_MD5SIG " .. kang:address() .. "=secret\n")
    local set = lab:expect(server):call("setsockopt", "TCP_MD5SIG"):returns()
    if set.errno then lab:skip "this kernel has no CONFIG_TCP_MD5SIG" end
    server:type "listen\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local function connect(key)
      local client = kang:dnc("--repl")
      client:type("socket\n")
      if key then client:type("setsockopt TCP_MD5SIG " .. kodos:address() .. "=" .. key .. "\n") end
      client:type "connect kodos 8080\n"
      return client
    end

    local trusted = connect "secret"
    lab:expect(trusted):call("connect"):returns(0)
    lab:expect(server):call("accept"):returns()
    lab:expect(trusted):in_state "ESTABLISHED"
    local conn = lab:connection(trusted)
    conn:rst()
    conn:data "forged\n"
    lab:never_packet(0.1, "kang > kodos", "tcp")
    trusted:type "write signed\n"
    server:type "read\n"
    lab:expect(server):call("read"):returns(6)
    lab:expect(trusted):still_in_state "ESTABLISHED"

    local patience = lab:timer("syn_r2", kang)
    local wrong_key, no_key = connect "Secret", connect(nil)
    for _, client in ipairs { wrong_key, no_key } do
      local call = lab:expect(client):within(2 * patience):call("connect"):fails "ETIMEDOUT"
      lab:expect_time(call.t - call.entered, patience, "giving up")
    end
    lab:expect(trusted):still_in_state "ESTABLISHED"
  end,
}
