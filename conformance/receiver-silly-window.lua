local tested = include "tested.lib.lua"

return {
  title = "A window that opens by 10 bytes",
  asks = "Does the receiver wait until it can offer a useful window?",
  requires = {
    id = "MUST-39", level = "MUST", rfc = "RFC 9293 section 3.8.6.2.2",
    says = "The receiver avoids the silly window syndrome: it does not offer a few bytes of "
      .. "window.",
    met = "After the buffer is full and the program reads 10 bytes, no segment of kodos offers a "
      .. "window of 1 to 100 bytes within 1 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- With window scaling, kodos could not announce a window of 1 to 100 bytes.
    kang:sysctl("net.ipv4.tcp_window_scaling", 0)
    local peer, program = lab:connect(kang, kodos, { server = { "--repl" } })
    local shift = lab:expect_packet("kodos > kang", "SYN ACK").window_scale or 0
    peer:type(("x"):rep(999999) .. "\n")
    local closed = tested.packet(lab, "zero window", 10)
    if not closed then lab:skip "kodos's window does not close within 10 s" end
    program:type "read 10\n"
    lab:expect(program):call("read"):returns(10)
    local began = lab:now()
    local silly
    while lab:now() < began + 1 and not silly do
      local packet = tested.packet(lab, "tcp", began + 1 - lab:now())
      if not packet then break end
      local window = packet.window << shift
      if window > 0 and window <= 100 then silly = window end
    end
    lab:require(not silly, "kodos offers no window of 1 to 100 bytes",
      silly and ("it offers %d bytes"):format(silly))
  end,
}
