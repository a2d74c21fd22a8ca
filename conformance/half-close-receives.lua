local tested = include "tested.lib.lua"

return {
  title = "Data after the own FIN",
  asks = "Can a program receive after it has sent a FIN?",
  requires = {
    id = "RFC9293-3.6.1-b", level = "behaviour", rfc = "RFC 9293 section 3.6.1",
    says = "A program that has closed its direction still receives.",
    met = "After shutdown(2) and its FIN, kodos acknowledges data, and its program reads it.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    program:type "shutdown wr\n"
    local shut = lab:expect(program):call("shutdown"):returns()
    if shut.result ~= 0 then lab:does_not_arise "the stack has no shutdown(2)" end
    lab:expect_packet("kodos > kang", "FIN")
    conn:ack()
    conn:data "hello"
    lab:require(tested.packet(lab, "ACK only", 2, { ack = 6 }), "kodos acknowledges data",
      "no ACK within 2 s")
    program:type "read 10\n"
    local read = tested.await(lab, program, 2):call("read"):returns()
    lab:require(read and read.result == 5, "read(2) returns 5 bytes",
      read and "it returns " .. read.result or "it does not return within 2 s")
  end,
}
