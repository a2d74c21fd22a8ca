return {
  title = "A connect to a multicast address",
  asks = "Does the stack refuse to connect to a multicast address?",
  requires = {
    id = "MUST-46", level = "MUST", rfc = "RFC 9293 section 3.9.1.1",
    says = "An active OPEN to a broadcast or multicast address is an error.",
    met = "connect(2) to 224.0.0.5 or ff02::5 fails within 1 s, and no SYN leaves kodos.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:connect(kodos, kang)
    lab:expect_packet("kodos > *", "SYN")
    local program = kodos:dnc(lab.family == 4 and "224.0.0.5" or "ff02::5", 8080)
    local name = lab:first {
      failed = program:call("connect"):returns(),
      sent = lab:packet("kodos > *", "SYN"),
      within = 1,
    }
    lab:require(name == "failed", "connect(2) to a multicast address fails",
      name == "sent" and "kodos sends a SYN" or "it waits")
  end,
}
