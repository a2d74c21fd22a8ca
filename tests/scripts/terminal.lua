-- A program with a terminal: it echoes what is typed, and Ctrl-D and Ctrl-C act.
return {
  title = "A program at a terminal",
  asks = "Does a program have a terminal that does what its users expect?",
  run = function(lab)
    local kang = lab:pair()
    local terminal = kang:run { "sh", "-c", "test -t 0 && test -t 2 && cat; echo gone >&2",
      tty = true }
    terminal:type "are you there?\n"
    lab:expect(terminal):prints "are you there?\r\nare you there?\r\n"
    terminal:close_stdin()
    lab:expect(terminal):prints "gone"
    lab:expect(terminal):exits(0)

    local reader = kang:run { "sh", "-c", "echo ready; exec cat", tty = true }
    lab:expect(reader):prints "ready"
    reader:type "\3"
    lab:expect(reader):killed_by "SIGINT"
  end,
}
