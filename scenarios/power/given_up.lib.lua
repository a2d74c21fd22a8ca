-- Two programs on kang write to kodos, which loses its power. Returns both when their kernel has
-- given up. No call of theirs has reported the error yet. `options` are those of lab:pair.
return function(lab, options)
  local kang, kodos = lab:pair(options)
  local function connect(port)
    return (lab:connect(kang, kodos, {
      client = { "--repl", "--ignore-sigpipe" }, server = { "--repl" }, port = port,
    }))
  end
  local one, other = connect(8080), connect(8081)

  kodos:power_off()
  local time_limit = lab:timer("r2", one) * 1.5 + 2 * lab.second
  for _, program in ipairs { one, other } do
    program:type "write hello\n"
    lab:expect(program):call("write"):returns(5)
  end
  lab:expect(one):within(time_limit):in_state "CLOSED"
  lab:expect(other):within(time_limit):in_state "CLOSED"
  return one, other
end
