local tested = include "tested.lib.lua"

return {
  title = "The name of a write after a reset",
  asks = "Is a second write after a reset called EPIPE?",
  requires = {
    id = "broken-pipe-errno", level = "behaviour", rfc = "POSIX.1-2017, write()",
    says = "After a RST has been reported, a write fails with EPIPE.",
    met = "After read(2) has failed, write(2) of a program of kodos fails with EPIPE.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program =
      tested.scripted(lab, { tested = { "--repl", "--ignore-sigpipe" } })
    conn:rst()
    tested.settle(lab)
    program:type "read 10\n"
    lab:check(lab:await(program, 3):call("read"):returns(), "read(2) returns")
    program:type "write hello\n"
    local write = lab:await(program, 3):call("write"):returns()
    lab:check(write, "write(2) returns")
    lab:require(write.errno == "EPIPE", "write(2) fails with EPIPE", write.errno or "it succeeds")
  end,
}
