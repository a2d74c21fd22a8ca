return {
  title = "Expectations that cannot be",
  asks = "Is each refused, with what is wrong?",
  tags = { "trust" },
  run = function(lab)
    local function refused(words, attempt)
      local ok, message = pcall(attempt)
      if ok then error("not refused: " .. words) end
      if not tostring(message):find(words, 1, true) then error(message .. " has no " .. words) end
    end
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)
    local subject = lab:expect(client)
    refused('no timer "presist"', function() subject:timer "presist" end)
    lab:never(client, 0.1):timer "persist"
    refused("a call is made by a program",
      function() lab:expect(lab:connection(client)):call "read" end)
    refused('no read of "stdout"', function() subject:call("read", "stdout") end)
    local written = lab:never(client, 0.1):call "write"
    refused("only getsockopt and ioctl", function() written:gives(1) end)
    written:returns()
    local asked = lab:never(client, 0.1):call "getsockopt"
    refused("no errno EPIPEE", function() asked:gives "EPIPEE" end)
    asked:returns()
    refused("`seq` is a whole number",
      function() lab:expect_packet("* > *", "data", { seq = 1.5 }) end)
    refused("`length`", function() lab:lose("", "data", { length = "many" }) end)
    refused('did you mean "SYN ACK"', function() lab:lose("", "SYN AKC") end)
    refused("is not of the form", function() lab:expect_packet("kang", "SYN") end)
    refused("`port` is a whole number", function() lab:connect(kang, kodos, { port = 70000 }) end)
    refused("`client` is a list", function() lab:connect(kang, kodos, { client = "--repl" }) end)
    refused("texts and numbers", function() lab:connect(kang, kodos, { server = { {} } }) end)
    refused("sysctls", function() lab:connect(kang, kodos, { sysctls = {} }) end)
  end,
}
