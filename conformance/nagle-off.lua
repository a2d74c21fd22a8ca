local tested = include "tested.lib.lua"

return {
  title = "Two small writes with TCP_NODELAY",
  asks = "Can a program turn the Nagle algorithm off?",
  requires = {
    id = "MUST-17", level = "MUST", rfc = "RFC 9293 section 3.7.4",
    says = "A program can turn the Nagle algorithm off for a connection.",
    met = "With TCP_NODELAY, kodos sends the second of two small writes within 0.5 s, while the "
      .. "first is unacknowledged.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1400 } })
    program:type "setsockopt TCP_NODELAY on\n"
    local set = lab:expect(program):call("setsockopt", "TCP_NODELAY"):returns()
    lab:require(set.result == 0, "the stack has TCP_NODELAY", "setsockopt fails")
    program:type "write one\nwrite two\n"
    lab:expect_packet("kodos > kang", "data", { seq = 1 })
    local second = tested.packet(lab, "data", 0.5, { seq = 4 })
    lab:require(second, "kodos sends the second write at once", "it does not within 0.5 s")
  end,
}
