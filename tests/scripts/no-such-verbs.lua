-- The error about an unknown verb must name the verb and similar verbs, whatever object the script
-- calls it on.
local function refuses(asked, message)
  local done, complaint = pcall(asked)
  if done then error "it was not refused" end
  if not complaint:find(message, 1, true) then error(complaint) end
  if not complaint:find "no%-such%-verbs.lua:%d+: " then error("no line: " .. complaint) end
end

return {
  title = "Unknown verbs and calls, and invalid numbers",
  asks = "Is each refused with its name, and with similar names?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local fault = lab:lose "kang > kodos"

    refuses(function() lab:expct(client) end,
            "lab has no verb or field `expct`; did you mean expect")
    refuses(function() kang:pluck() end, "a host has no verb `pluck`; did you mean plug")
    refuses(function() server:kil() end, "a program has no verb `kil`; did you mean kill")
    refuses(function() fault:remov() end, "a fault has no verb `remov`; did you mean remove")
    local subject = lab:expect(client)
    refuses(function() subject:in_stat "CLOSED" end,
            "a subject has no verb `in_stat`; did you mean in_state")
    local poll = lab:expect(client):call "poll"
    refuses(function() poll:return_(0) end,
            "an expected call has no verb `return_`; did you mean returns")
    refuses(function() lab:expect(client):call("poll", "stdin") end,
            'there is no poll of "stdin"; use call("read", "stdin")')
    refuses(function() lab:never(client, 0.1):call("raed") end,
            'no call "raed" is recorded; did you mean read')
    for _, port in ipairs { 0, -5, 1.5, 99999 } do
      refuses(function() lab:expect(kodos):listens(port) end,
              "argument 1 (the port) must be a whole number from 1 to 65535")
    end
    for _, status in ipairs { 1e300, 0 / 0, 1.5, 999, -1 } do
      refuses(function() lab:expect(client):exits(status) end,
              "argument 1 (the exit status) must be a whole number from 0 to 255")
    end
    for _, result in ipairs { 1.5, 1e300, -2 } do
      refuses(function() lab:expect(client):call("read"):returns(result) end,
              "argument 1 (the result) must be a whole number from -1 to")
    end
    refuses(function() kang:sysctl("kernel.hostname", "x") end,
            "sysctl kernel.hostname: only sysctls under net. belong to a host")
    refuses(function() lab:connection(client):reset() end,
            "a connection has no verb or field `reset`; did you mean")
    refuses(function() return kang[7] end, "a host has no verb `7`")
    subject:in_state "ESTABLISHED"
    poll:is_entered()
  end,
}
