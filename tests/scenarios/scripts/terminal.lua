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

    local sleeper = kang:run { "sh", "-c", "echo ready; exec sleep 1000", tty = true }
    lab:expect(sleeper):prints "ready"
    sleeper:type "\3"
    lab:expect(sleeper):killed_by "SIGINT"
  end,
}
