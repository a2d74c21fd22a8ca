-- A program that only reads learns of some failures at once and of others never. The script
-- measures each of them with lab:first, which does not fail if nothing happens.
return {
  title = "What a reader notices",
  asks = "Which failures of the other end does a program that only reads notice?",
  source = "RFC 9293 sections 3.5.1 and 3.10.7.1; RFC 1122 section 4.2.3.6",
  here = "It notices a killed program and a reboot: read returns 0. A power cycle, a power failure "
    .. "and a pulled cable are silent. Measured on Linux 6.18.",
  why = "A kernel that still runs closes the sockets of its programs, and sends a FIN. One that "
    .. "has lost its power sends nothing. A kernel that has just started only answers segments of "
    .. "the old connection, and a reader sends none.",
  tags = { "power", "scorecard" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local function expect_outcome(failure, expected, fail)
      local client, server = lab:connect(kang, kodos)
      fail(server)
      local seen = lab:first {
        ["end of stream"] = client:call("read"):returns(0),
        ["connection reset"] = client:call("read"):fails "ECONNRESET",
        within = expected and 5 or 0.3,
      }
      lab:check(seen == expected, failure .. ": " .. (expected or "nothing"), seen)
      client:kill()
      return server
    end

    local killed = expect_outcome("its program is killed", "end of stream",
      function(server) server:kill() end)
    lab:expect(killed):killed_by "SIGKILL"  -- only then is its port free
    expect_outcome("a reboot", "end of stream", function() kodos:reboot() end)
    expect_outcome("a power cycle", nil, function() kodos:power_cycle() end)
    expect_outcome("a pulled cable", nil, function() kodos:unplug() end)
    kodos:plug()
    kodos:power_cycle()
    expect_outcome("a power failure", nil, function() kodos:power_off() end)
  end,
}
