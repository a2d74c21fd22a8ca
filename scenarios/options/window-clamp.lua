-- TCP_WINDOW_CLAMP, "bound the size of the advertised window to this value". It is meant for
-- receivers of little memory; what the kernel makes of it later is another matter.
return {
  title = "TCP_WINDOW_CLAMP",
  asks = "For how long does TCP_WINDOW_CLAMP bound the window?",
  source = "tcp(7), TCP_WINDOW_CLAMP",
  here = "The SYN,ACK's window is within it. With the first full-size segments the kernel forgets "
    .. "the clamp, the window grows beyond it, and getsockopt has another value than was set. "
    .. "SO_RCVBUF is what lasts. Measured on Linux 6.18; older kernels kept it.",
  why = "Since Linux 6.6 the share of a buffer that data can take is measured anew when segments "
    .. "of another size come (scaling_ratio, tcp_measure_rcv_mss()), and the clamp is set from "
    .. "the buffer then.",
  tags = { "options", "window", "socket-options" },
  needs = { "kernel 6.18" },

  run = function(lab)
    local clamp = 3000
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl")
    server:type("socket " .. lab.family .. "\nbind 8080\n")
    server:type("setsockopt TCP_WINDOW_CLAMP " .. clamp .. "\nlisten\n")
    lab:expect(server):call("listen"):returns(0)
    server:type "accept\ngetsockopt TCP_WINDOW_CLAMP\n"
    local client = kang:dnc("--repl", kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    if syn_ack.window > clamp then error("a first window of " .. syn_ack.window) end
    lab:expect(server):prints("TCP_WINDOW_CLAMP " .. clamp)
    lab:expect(client):in_state "ESTABLISHED"

    client:type "fill 20000\n"
    local ack
    repeat
      ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    until ack.window > 2 * clamp
    server:type "getsockopt TCP_WINDOW_CLAMP\n"
    local said = lab:expect(server):prints "TCP_WINDOW_CLAMP"
    if tonumber(said.text:match "TCP_WINDOW_CLAMP (%d+)") <= clamp then error(said.text) end
  end,
}
