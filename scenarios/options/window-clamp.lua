-- TCP_WINDOW_CLAMP is meant to "bound the size of the advertised window", for receivers with little
-- memory. But recent kernels forget the value.
return {
  title = "TCP_WINDOW_CLAMP",
  asks = "How long does TCP_WINDOW_CLAMP limit the window?",
  source = "tcp(7), TCP_WINDOW_CLAMP",
  here = "Until the first full-size segments arrive. The SYN/ACK's window respects the clamp. Then "
    .. "the kernel replaces it: the window grows beyond it, and getsockopt returns another value. "
    .. "For a lasting limit use SO_RCVBUF. Measured on Linux 6.18; older kernels kept the clamp.",
  why = "When segments of another size arrive, Linux 6.6 or newer recomputes which share of the "
    .. "receive buffer is data and which is overhead (scaling_ratio, tcp_measure_rcv_mss()). It "
    .. "then sets the clamp from the buffer size.",
  tags = { "options", "window", "socket-options" },
  needs = { "kernel 6.18" },

  run = function(lab)
    local clamp = 3000
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl")
    server:type("socket\nbind 8080\n")
    server:type("setsockopt TCP_WINDOW_CLAMP " .. clamp .. "\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    server:type "accept\ngetsockopt TCP_WINDOW_CLAMP\n"
    local client = kang:dnc("--repl", kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK")
    lab:check(syn_ack.window <= clamp, "the clamp limits the first window", syn_ack.window)
    lab:expect(server):call("getsockopt", "TCP_WINDOW_CLAMP"):gives(clamp)
    lab:expect(client):in_state "ESTABLISHED"

    client:type "fill 20000\n"
    local ack
    repeat
      ack = lab:expect_packet("kodos > kang", "ACK only")
    until ack.window > 2 * clamp
    server:type "getsockopt TCP_WINDOW_CLAMP\n"
    local now = lab:expect(server):call("getsockopt", "TCP_WINDOW_CLAMP"):returns(0).value
    lab:check(now > clamp, "the clamp has grown", now)
  end,
}
