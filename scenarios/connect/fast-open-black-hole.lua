-- A firewall has never heard of data in a SYN, and from then on lets nothing of that connection
-- through. Whoever uses Fast Open then never connects, again and again, and without it always
-- would.
return {
  title = "Fast Open into a black hole",
  asks = "What does Fast Open do on a path that swallows a SYN with data, and all that follows it?",
  source = "RFC 7413 section 4.1.3.1; ip-sysctl, tcp_fastopen_blackhole_timeout_sec",
  here = "connect returns 0 at once, the write fails with ETIMEDOUT; and so it does each time, for "
    .. "the default is 0: never give up Fast Open. Where it is set, one such failure (or three "
    .. "timeouts) has the whole host connect without it, for that long at first. Linux 4.14 or "
    .. "newer has the sysctl; its default was 3600 until Linux 5.13. Measured on 6.18.",
  why = "tcp_fastopen_active_detect_blackhole() is called where tcp_write_timeout() gives up, and "
    .. "tcp_fastopen_active_should_disable() before a SYN is sent. RFC 7413 leaves it to the "
    .. "client to fall back; the cookie stays in ip tcp_metrics.",
  tags = { "connect", "fast-open", "middlebox", "timeout" },
  needs = { "sysctl net.ipv4.tcp_fastopen_blackhole_timeout_sec" },

  run = function(lab)
    local black_hole_timeout = "net.ipv4.tcp_fastopen_blackhole_timeout_sec"
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_fastopen"] = 3, [black_hole_timeout] = 0,
    } }
    local server = kodos:dnc("--repl")
    server:type("socket " .. lab.family .. "\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    local function open(port)
      local client = kang:dnc("--repl")
      client:type("socket " .. lab.family .. "\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
      client:type("bind " .. port .. "\nconnect kodos 8080\nwrite hello\n")
      lab:expect(client):call("connect"):returns(0)
      return client, lab:expect_packet("kang > kodos", "tcp src port " .. port)
    end
    local first = open(1000) -- which gets the cookie
    lab:expect(first):call("write"):returns(5)
    lab:expect(first):in_state "ESTABLISHED"

    local patience = 2 * lab:timer("connect_timeout", kang)
    local function expect_black_hole(port)
      lab:cut("kang > kodos", "tcp src port " .. port)
      local client, with_data = open(port)
      if not with_data.length then error "a SYN without data" end
      lab:expect(client):within(patience):call("write"):fails "ETIMEDOUT"
    end
    expect_black_hole(2000)
    kang:sysctl(black_hole_timeout, 3600)
    expect_black_hole(3000)
    local cautious, bare = open(4000)
    if bare.length then error "a SYN with data" end
    lab:expect(cautious):call("write"):returns(5)
    lab:expect(cautious):in_state "ESTABLISHED"
  end,
}
