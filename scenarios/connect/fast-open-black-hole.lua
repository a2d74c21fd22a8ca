-- A firewall drops every SYN that carries data, and all later segments of that connection. Behind
-- it a client with Fast Open fails on every attempt; without Fast Open it would connect.
return {
  title = "Fast Open into a black hole",
  asks = "What does Fast Open do if the path drops a SYN with data and all that follows?",
  source = "RFC 7413 section 4.1.3.1; ip-sysctl, tcp_fastopen_blackhole_timeout_sec",
  here = "connect returns 0 at once, and the write fails with ETIMEDOUT. With "
    .. "tcp_fastopen_blackhole_timeout_sec = 0, the default, this happens on every attempt. With a "
    .. "time set, one such failure (or three timeouts) turns Fast Open off for that time, on the "
    .. "whole host, and for longer if that happens again. Linux 4.14 or newer has the sysctl; its "
    .. "default was 3600 up to Linux 5.13. Measured on Linux 6.18.",
  why = "tcp_write_timeout() calls tcp_fastopen_active_detect_blackhole(), which disables Fast "
    .. "Open when the connection gives up. Before each SYN, tcp_fastopen_active_should_disable() "
    .. "checks whether Fast Open is disabled. RFC 7413 leaves the fallback to the client. The "
    .. "client keeps its cookie (ip tcp_metrics).",
  tags = { "connect", "fast-open", "middlebox", "timeout" },
  needs = { "sysctl net.ipv4.tcp_fastopen_blackhole_timeout_sec" },

  run = function(lab)
    local black_hole_timeout = "net.ipv4.tcp_fastopen_blackhole_timeout_sec"
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_fastopen"] = 3, [black_hole_timeout] = 0,
    } }
    local server = kodos:dnc("--repl")
    server:type("socket\nbind 8080\nsetsockopt TCP_FASTOPEN 5\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    local function open(port)
      local client = kang:dnc("--repl")
      client:type("socket\nsetsockopt TCP_FASTOPEN_CONNECT on\n")
      client:type("bind " .. port .. "\nconnect kodos 8080\nwrite hello\n")
      lab:expect(client):call("connect"):returns(0)
      return client, lab:expect_packet("kang > kodos", "tcp src port " .. port)
    end
    local first = open(1000) -- gets the cookie
    lab:expect(first):call("write"):returns(5)
    lab:expect(first):in_state "ESTABLISHED"

    local time_limit = 2 * lab:timer("syn_r2", kang)
    local function expect_black_hole(port)
      lab:cut("kang > kodos", "tcp src port " .. port)
      local client, with_data = open(port)
      lab:check(with_data.length, "the SYN carries data")
      lab:expect(client):within(time_limit):call("write"):fails "ETIMEDOUT"
    end
    expect_black_hole(2000)
    kang:sysctl(black_hole_timeout, 3600)
    expect_black_hole(3000)
    local fallback, bare = open(4000)
    lab:check(not bare.length, "the SYN carries no data")
    lab:expect(fallback):call("write"):returns(5)
    lab:expect(fallback):in_state "ESTABLISHED"
  end,
}
