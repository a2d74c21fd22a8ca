-- Each line is wrong in its own way. pcall catches each error, and the script continues.
return {
  title = "Impossible faults",
  asks = "Is each refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    lab:hosts { "kang", "kodos" }
    local function refuses(words, what)
      local done, complaint = pcall(what)
      if done then error("this was not refused: " .. words, 2) end
      if not complaint:find(words, 1, true) then error(complaint .. ", not " .. words, 2) end
      if not complaint:find("refused%.lua:%d+: ") then error("no line in: " .. complaint, 2) end
      if complaint:find "\n" then error("more than one line: " .. complaint, 2) end
    end
    refuses("\"krusty\"", function() lab:delay("kang > krusty", { by = 1 }) end)
    refuses("\"dsl\" is no link", function() lab:lose "dsl" end)
    refuses("\"kang > kodos\"", function() lab:lose "kang" end)
    refuses("\"kang > kodos\"", function() lab:lose "kang >" end)
    refuses("\"tcp[\" is not valid", function() lab:corrupt("kang > kodos", "tcp[") end)
    refuses("argument 1 (the direction)", function() lab:lose(7) end)
    refuses("no option `colour`", function() lab:lose { colour = "red" } end)
    refuses("no option `by`", function() lab:lose { by = 1 } end)

    refuses("`probability` is a number from 0 to 1", function() lab:lose { probability = 2 } end)
    refuses("`probability` must be a number", function() lab:lose { probability = "often" } end)
    refuses("`nth` picks one frame", function() lab:lose { nth = 1, every = 2 } end)
    refuses("do not go together", function() lab:lose { every = 2, probability = 0.5 } end)
    refuses("`nth` is a whole number from 1", function() lab:lose { nth = 0 } end)
    refuses("`every` is a whole number from 1", function() lab:lose { every = 1.5 } end)
    refuses("`count` is a whole number from 0", function() lab:lose { count = -1 } end)
    refuses("`seed` is a whole number", function() lab:lose { probability = 1, seed = -1 } end)
    refuses("`name` must be a text", function() lab:lose { name = {} } end)

    refuses("`by` is missing", function() lab:delay() end)
    refuses("`by` is a number of seconds", function() lab:delay { by = -1 } end)
    refuses("`by` is a number of seconds", function() lab:delay { by = 0 / 0 } end)
    refuses("`jitter` is no longer than `by`", function() lab:delay { by = 1, jitter = 2 } end)
    refuses("`rate` is a number of bits", function() lab:limit { rate = 0 } end)
    refuses("`rate` is a number of bits", function() lab:limit { queue = 5 } end)
    refuses("`queue` is a whole number from 1", function() lab:limit { rate = 1, queue = 0 } end)
    refuses("`copies` is a whole number from 1", function() lab:duplicate { copies = 0 } end)
    refuses("`after` is a number of seconds", function() lab:duplicate { after = -1 } end)
    refuses("`behind` is a whole number from 1", function() lab:reorder { behind = 0 } end)
    refuses("`bits` is a whole number from 1 to 255", function() lab:corrupt { bits = 256 } end)
    refuses("`bits` and `value`", function() lab:corrupt { bits = 1, value = 1 } end)
    refuses("`offset` is a whole number", function() lab:corrupt { offset = -1 } end)
    refuses("`checksum` is \"wrong\"", function() lab:corrupt { checksum = "right" } end)
    refuses("`to` is missing", function() lab:truncate() end)
    refuses("`mtu` is missing", function() lab:mtu() end)
    local lowest = lab.family == 4 and 68 or 1280
    refuses("from " .. lowest .. " to 65535", function() lab:mtu { mtu = lowest - 1 } end)
    lab:mtu { mtu = lowest }

    local fault = lab:lose { name = "flaky cable" }
    refuses("is a fault \"flaky cable\"", function() lab:cut { name = "flaky cable" } end)
    lab:remove "flaky cable"
    refuses("no fault called \"flaky cable\"", function() lab:remove "flaky cable" end)
    refuses("is already removed", function() fault:release() end)
    refuses("is already removed", function() fault:remove() end)
    refuses("argument 1 (the fault's name)", function() lab:remove(fault) end)
  end,
}
