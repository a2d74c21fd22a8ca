return {
  title = "The name of a refused connect",
  asks = "Is a refused connect called ECONNREFUSED?",
  requires = {
    id = "refused-errno", level = "behaviour", rfc = "POSIX.1-2017, connect()",
    says = "A connect to a port without a listener fails with ECONNREFUSED.",
    met = "connect(2) of a program of kodos fails with ECONNREFUSED.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local program = kodos:dnc(kang, 9)
    lab:expect_packet("kang > kodos", "RST")
    local connect = lab:await(program, 5):call("connect"):returns()
    lab:check(connect, "connect(2) returns within 5 s")
    lab:require(connect.errno == "ECONNREFUSED", "connect(2) fails with ECONNREFUSED",
      connect.errno or "it succeeds")
  end,
}
