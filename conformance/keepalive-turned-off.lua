local tested = include "tested.lib.lua"

return {
  title = "Keepalive that is turned off again",
  asks = "Can a program turn keepalives off?",
  requires = {
    id = "MUST-24", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "A program can turn keepalives on and off for a connection.",
    met = "After SO_KEEPALIVE is on, kodos probes an idle connection; after it is off, kodos "
      .. "sends nothing for 4 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    tested.keepalive(lab, program)
    local first = tested.packet(lab, "tcp", 6)
    lab:require(first, "kodos probes the idle connection", "no probe within 6 s")
    conn:ack()
    program:type "setsockopt SO_KEEPALIVE off\n"
    local set = lab:expect(program):call("setsockopt", "SO_KEEPALIVE"):returns()
    lab:require(set.result == 0, "setsockopt turns keepalive off", "it fails")
    tested.settle(lab)
    local probe = tested.packet(lab, "tcp", 4)
    lab:require(not probe, "kodos sends no probe any more", "it sends one")
    tested.check_alive(lab, conn)
  end,
}
